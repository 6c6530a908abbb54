import fs from 'node:fs'

import { describe, expect, it } from 'vitest'

import { fsSignatures, pathless, streamFactories } from '../../../../src/host/in-process/disk/signatures.ts'

const functionsOf = (module: object) =>
  Object.entries(module)
    .filter(([name, value]) => typeof value === 'function' && !/^[A-Z]/.test(name))
    .map(([name]) => name)

describe('the signatures of node:fs', () => {
  it.each([
    ['node:fs', fs],
    ['node:fs/promises', fs.promises],
  ])('name every function of this %s', (_name, module) => {
    const unknown = functionsOf(module).filter(name => {
      const base = name.replace(/Sync$/, '')
      if (base === 'glob') return false // goes its own way: route-glob.ts
      return !fsSignatures.has(base) && !streamFactories.has(base) && !pathless.has(name)
    })
    expect(unknown).toEqual([])
  })
})
