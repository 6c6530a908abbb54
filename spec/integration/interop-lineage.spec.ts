import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { compareRun, runScenario } from '../../src/index.ts'
import { withCallOrder } from '../support/call-order.ts'
import { tempFolder } from '../support/temp-folder.ts'

const corpus = process.env.ACP_SNAPSHOT_CORPUS
const source = corpus === undefined || corpus === '' ? undefined : path.resolve(corpus, 'subagent-parallel')

/** The scenario with the second child told to say BETA: its prompt, its answer, and what comes of both. */
function withTwoPrompts(source: string): string {
  const folder = path.join(tempFolder(), 'subagent-parallel')
  cpSync(source, folder, { recursive: true })
  const rewrite = (name: string, change: (text: string) => string): void => {
    const file = path.join(folder, name)
    const before = readFileSync(file, 'utf8')
    const after = change(before)
    expect(after).not.toBe(before)
    writeFileSync(file, after)
  }
  rewrite('session.2.jsonl', text => text.replaceAll('ALPHA', 'BETA'))
  rewrite('session.jsonl', text =>
    text
      .replace(
        /(call_parallel_alpha_2","name":"subagent","arguments":"(?:[^"\\]|\\.)*exactly the word )ALPHA/g,
        '$1BETA',
      )
      .replace(
        /(call_parallel_alpha_2","name":"subagent","arguments":"(?:[^"\\]|\\.)*Say the word )ALPHA/g,
        '$1BETA',
      )
      .replace(/(toolCallId":"call_parallel_alpha_2","content":\[\{"type":"text","text":")ALPHA/, '$1BETA'),
  )
  return folder
}

describe('two children at once, recorded elsewhere', () => {
  if (source === undefined || !existsSync(source)) {
    it.skip('get their own scripts (set ACP_SNAPSHOT_CORPUS to a folder that holds subagent-parallel)')
    return
  }

  const [alpha, beta] = ['ALPHA', 'BETA'].map(word => `Reply with exactly the word ${word} and nothing else.`)

  it.each([
    [alpha, beta],
    [beta, alpha],
  ])(
    'get their own scripts 25 times of 25, first "%s"',
    async (first = '', second = '') => {
      const scenario = withTwoPrompts(source)
      const composition = withCallOrder(first, second)
      for (let round = 0; round < 25; round += 1) {
        const run = await runScenario({ scenario, composition })
        const prompts = run.modelCalls.map(({ request }) => JSON.stringify(request.messages[0]))
        expect(prompts[1]).toContain(first)
        expect(prompts[2]).toContain(second)
        expect(compareRun(run).report()).toBe('')
      }
    },
    60_000,
  )
})
