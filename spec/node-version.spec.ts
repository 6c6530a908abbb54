import { describe, expect, it } from 'vitest'

import { checkNodeVersion } from '../src/node-version.ts'

describe('checkNodeVersion', () => {
  it.each(['22.15.0', '22.16.1', '23.0.0', '24.21.0'])('takes %s', version =>
    expect(() => checkNodeVersion(version)).not.toThrow(),
  )

  it('takes the Node that runs this', () => expect(() => checkNodeVersion()).not.toThrow())

  it.each(['22.14.9', '20.20.2', '18.0.0'])('refuses %s', version =>
    expect(() => checkNodeVersion(version)).toThrow(`needs Node 22.15 or later, and this is Node ${version}`),
  )
})
