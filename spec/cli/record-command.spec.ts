import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it, vi } from 'vitest'

import { callCli } from '../support/call-cli.ts'
import { dshComposition } from '../support/paths.ts'
import { copyOfBundled, cutOff, modelWith, newScenario } from '../support/recording.ts'
import { tempFolder } from '../support/temp-folder.ts'

const prompt = (text: string) => ({ op: 'prompt', text })

const record = (...args: string[]) => callCli(['record', ...args, '--composition', dshComposition])

describe('acp-snapshot record', () => {
  it('tells of each scenario, and what all has cost', async () => {
    const usage = { prompt_tokens: 120, completion_tokens: 7, prompt_cache_hit_tokens: 100 }
    await modelWith({ text: ['Hi.'], usage }, { text: ['Reykjavik'], usage }, { text: ['Hi.'], usage })
    const parent = tempFolder()
    newScenario('greets', [prompt('Hi?')], parent)
    copyOfBundled('text-turn', parent)
    const { code, out, error } = await record(parent)
    expect(error).toBe('')
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual([
      expect.stringMatching(
        /^rec {2}greets {2}\d+ ms {2}session\.jsonl, stdout\.expected\.jsonl; 1 model call, 120 tokens in \(100 from a cache\), 7 out$/,
      ),
      expect.stringMatching(/^rec {2}text-turn {2}\d+ ms {2}session\.jsonl; 1 model call, /),
      '2 of 2 scenarios recorded: 2 model calls, 240 tokens in (200 from a cache), 14 out',
    ])
    const again = await record(path.join(parent, 'greets'))
    expect(again.out).toMatch(/^same greets {2}\d+ ms {2}1 model call, 120 tokens in/)
  })

  it('records those that are named, and passes over what was written by hand', async () => {
    const server = await modelWith({ text: ['Hi.'] })
    const parent = tempFolder({
      'suite.json': '{ "scenarios": { "text-turn": { "recorded": false }, "greets": {}, "waves": {} } }',
    })
    copyOfBundled('text-turn', parent)
    newScenario('greets', [prompt('Hi?')], parent)
    const waves = newScenario('waves', [prompt('Bye?')], parent)
    const { code, out } = await record(parent, 'greets', 'text-turn')
    expect(code).toBe(0)
    expect(out).toMatch(/^rec {2}greets/m)
    expect(out).toMatch(/^skip text-turn {2}\d+ ms {2}suite\.json says "recorded": false$/m)
    expect(out).toMatch(/^1 of 2 scenarios recorded: /m)
    expect(server.left()).toEqual([])
    expect(Object.keys(waves.files())).toEqual(['input.json'])
  })

  it('goes on after one that fails, and counts what that has cost', async () => {
    await modelWith({ text: ['Oslo'] }, { text: ['Hi.'] })
    const parent = tempFolder()
    copyOfBundled('text-turn', path.join(parent))
    newScenario('waves', [prompt('Bye?')], parent)
    const { code, out } = await record(parent)
    expect(code).toBe(1)
    expect(out).toMatch(/^FAIL text-turn {2}\d+ ms {2}1 model call, /m)
    expect(out).toContain('     ' + path.join(parent, 'text-turn') + ': nothing was written')
    expect(out).toMatch(/^rec {2}waves/m)
    expect(out).toMatch(/^1 of 2 scenarios recorded: 2 model calls/m)
  })

  it('gives one JSON document', async () => {
    await modelWith({ text: ['Hi.'] })
    const parent = tempFolder()
    const { folder } = newScenario('greets', [prompt('Hi?')], parent)
    newScenario('waits', [{ op: 'waitForFile', path: 'never', timeoutMs: 1 }], parent)
    const { code, out } = await record(parent, '--json')
    expect(code).toBe(1)
    const ms = expect.any(Number) as number
    const message = expect.stringContaining('step 3 of 3 (waitForFile)') as string
    const cost = expect.objectContaining({ calls: 1 }) as object
    expect(JSON.parse(out)).toEqual({
      ok: false,
      cost,
      scenarios: [
        {
          scenario: 'greets',
          folder,
          result: 'recorded',
          ms,
          changed: ['session.jsonl', 'stdout.expected.jsonl'],
          cost,
        },
        {
          scenario: 'waits',
          folder: path.join(parent, 'waits'),
          result: 'failed',
          ms,
          changed: [],
          error: { code: 'DEADLINE_EXCEEDED', message },
        },
      ],
    })
  })

  it('takes rules of normalisation', async () => {
    await modelWith(
      { toolCalls: [{ id: 'c', name: 'bash', arguments: { command: 'date +%N', description: 'Ask' } }] },
      { text: ['Late.'] },
    )
    const parent = tempFolder({
      'rules.mjs': `export const rules = [{ name: 'clock', why: 'It ticks.', text: () => text => text.replace(/^\\d{9}\\n$/, 'now\\n') }]`,
    })
    newScenario('clock', [prompt('How late is it?')], parent)
    const { code, out } = await record(parent, '--rules', path.join(parent, 'rules.mjs'))
    expect(out).toContain('1 of 1 scenarios recorded')
    expect(code).toBe(0)
  })

  it('finishes a write that was cut off', async () => {
    await modelWith({ text: ['Reykjavik'] })
    const { folder, text } = copyOfBundled('text-turn')
    const before = text('stdout.expected.jsonl')
    await cutOff(folder, new Map([['stdout.expected.jsonl', before.replace('Reykjavik', 'Oslo')]]))
    expect((await record(folder)).out).toContain('1 of 1 scenarios recorded')
    expect(text('stdout.expected.jsonl')).toBe(before)
  })

  it('ends at an interrupt, and writes nothing', async () => {
    const server = await modelWith({ text: ['Hi'], fail: { after: 'hang' } })
    const { folder, files } = newScenario('greets', [prompt('Hi?')])
    const interrupt = new AbortController()
    const call = callCli(['record', folder, '--composition', dshComposition], interrupt.signal)
    await vi.waitUntil(() => server.requests.length > 0)
    interrupt.abort()
    expect(await call).toEqual({ code: 130, out: '', error: 'acp-snapshot: interrupted' })
    expect(Object.keys(files())).toEqual(['input.json'])
  })

  it('begins with the scenarios that keep pins for others', async () => {
    const pin = { prompt: true, tools: true }
    const parent = tempFolder()
    const suite = {
      scenarios: { again: { headerClass: 'b', pin: { prompt: 'zoo', tools: 'zoo' } }, zoo: { pin } },
    }
    writeFileSync(path.join(parent, 'suite.json'), JSON.stringify(suite))
    newScenario('again', [prompt('Hi?')], parent)
    newScenario('zoo', [prompt('Hi?')], parent)
    await modelWith({ text: ['Hi.'] }, { text: ['Hi.'] })
    const { code, out } = await record(parent)
    expect(out.match(/^rec {2}\w+/gm)).toEqual(['rec  zoo', 'rec  again'])
    expect(code).toBe(0)
    expect(existsSync(path.join(parent, 'zoo/system-prompt.expected.md'))).toBe(true)
  })
})
