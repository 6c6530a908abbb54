import { describe, expect, it } from 'vitest'

import { serveCommand } from '../../../src/host/subprocess/serve-command.ts'

describe('serveCommand', () => {
  it('has an older Node strip types', () => {
    const { command, args } = serveCommand('cordis.yml', ['--check'], false)
    expect(command).toBe(process.execPath)
    expect(args[0]).toBe('--experimental-strip-types')
    expect(args.slice(2)).toEqual(['serve', '--config', 'cordis.yml', '--check'])
    expect(serveCommand('cordis.yml').args[1]).toBe('serve')
  })
})
