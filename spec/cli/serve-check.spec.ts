import { writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { compositionFolder } from '../host/support/composition-folder.ts'
import { callCli } from '../support/call-cli.ts'

const good = 'export const name = "good"; export const inject = ["llm"]; export function apply() {}'
const loser = `${good}; export default apply`

function composition(files: Readonly<Record<string, string>>): string {
  const rows = Object.keys(files).map(name => ({ name: `./${name}` }))
  return path.join(compositionFolder({ 'cordis.yml': JSON.stringify(rows), ...files }), 'cordis.yml')
}

const check = (config: string, ...more: string[]): ReturnType<typeof callCli> =>
  callCli(['serve', '--config', config, '--check', ...more])

describe('acp-snapshot serve --check', () => {
  it('prints what each plugin exports and what the Loader keeps', async () => {
    const { code, out, error } = await check(
      composition({ 'good.mjs': good, 'class.mjs': 'export default class {}' }),
    )
    expect({ code, error }).toEqual({ code: 0, error: '' })
    expect(out.split('\n')).toEqual([
      'plugin       exports by name    the Loader keeps',
      './good.mjs   name inject apply  name inject apply',
      './class.mjs  -                  name apply',
      '2 plugins, no problems',
    ])
  })

  it('names what is lost, each in a line of its own, and fails', async () => {
    const file = composition({
      'good.mjs': good,
      'loser.mjs': loser,
      'gone.mjs': 'throw new Error("a\\n\\u001b[2Jb")',
    })
    const { code, out } = await check(file)
    expect(code).toBe(1)
    const [, , row, gone, lost, failed, summary, ...more] = out.split('\n')
    expect(row).toBe('./loser.mjs  name inject apply  name apply')
    expect(gone).toBe('./gone.mjs   -                  -')
    expect(lost).toContain(`${file} names the module "./loser.mjs", which exports inject by name`)
    expect(failed).toContain('could not be imported')
    expect(failed).toContain('a \\u001b[2Jb')
    expect(summary).toBe('3 plugins, 2 problems')
    expect(more).toEqual([])
  })

  it('prints one JSON document with --json', async () => {
    const file = composition({ 'good.mjs': good, 'loser.mjs': loser })
    const { code, out } = await check(file, '--json')
    expect(code).toBe(1)
    const keeps = ['name', 'inject', 'apply']
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      file,
      plugins: [
        { entry: './good.mjs', file, exports: keeps, keeps },
        { entry: './loser.mjs', exports: keeps, keeps: ['name', 'apply'] },
      ],
    })
    const fine = await check(composition({ 'good.mjs': good }), '--json')
    expect(fine.code).toBe(0)
    expect(JSON.parse(fine.out)).toMatchObject({ ok: true })
  })

  it('looks at the file that is named, and not at its overlay', async () => {
    const file = composition({ 'good.mjs': good })
    writeFileSync(file.replace('.yml', '.snapshot.yml'), '- name: ./never.mjs')
    const { out } = await check(file)
    expect(out).not.toContain('never')
  })

  it.each([
    [['--check'], 'serve needs --config <file> and nothing else'],
    [['--check', '--config', 'cordis.yml', 'more'], 'serve needs --config <file> and nothing else'],
    [['--config', 'cordis.yml', '--json'], 'serve has no option --json but beside --check'],
    [['--config', 'cordis.yml', '--yes'], 'serve has no option --yes'],
  ])('refuses %j with code 2', async (argv, message) => {
    const { code, out, error } = await callCli(['serve', ...argv])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(error).toContain(message)
  })

  it('is in the usage, as are serve and the host of a run', async () => {
    const { out } = await callCli(['--help'])
    for (const part of ['serve --config <file>\n', '--check [--json]', '--host in-process|subprocess'])
      expect(out).toContain(part)
  })

  it('stops when it is interrupted', async () => {
    const file = composition({ 'endless.mjs': 'await new Promise(() => undefined)' })
    const { code, error } = await callCli(['serve', '--config', file, '--check'], AbortSignal.abort())
    expect({ code, error }).toEqual({ code: 130, error: 'acp-snapshot: interrupted' })
  })
})
