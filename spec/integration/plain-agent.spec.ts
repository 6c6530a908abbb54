import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { describe, expect, it, onTestFinished } from 'vitest'

import { connectClient } from '../../src/client/acp-client.ts'
import { runScenario, type ScenarioRun, type StepInput } from '../../src/index.ts'
import { compositionFolder } from '../host/support/composition-folder.ts'
import { sourceUrl } from '../host/support/plain-node.ts'
import { startComposition } from '../host/support/start-run.ts'
import { answers, prompts } from '../support/model-answers.ts'
import type { ModelAnswer } from '../support/model-server/model-answers-file.ts'
import { modelKey, modelWith } from '../support/recording.ts'
import { askPlain, plainComposition } from './ask-plain.ts'

const eventsOf = (run: ScenarioRun) => run.transcript.sessions[0]?.log.events ?? []

describe('the tool of the agent on plain Cordis', () => {
  const resultOf = async (named: unknown): Promise<unknown> => {
    const linker = {
      name: 'linker',
      apply: () => symlinkSync(path.dirname(plainComposition), path.join(process.cwd(), 'link')),
    }
    const run = await askPlain(
      [answers({ tool: 'word_count', args: { path: named } }), answers({ text: 'So.' })],
      {
        composition: {
          config: plainComposition,
          patches: [{ insert: [{ name: 'linker' }] }],
          modules: { linker },
        },
      },
    )
    return eventsOf(run).find(({ type }) => type === 'tool/result')?.data.error
  }

  it.each([
    ['..', 'OUTSIDE'],
    ['../x', 'OUTSIDE'],
    ['/etc/passwd', 'OUTSIDE'],
    ['sub/../../x', 'OUTSIDE'],
    ['link/cordis.yml', 'OUTSIDE'],
    ['none.txt', 'NOT_FOUND'],
    ['.', 'EISDIR'],
    [7, 'BAD_ARGUMENTS'],
  ])('refuses the path %j', async (named, code) => {
    expect(await resultOf(named)).toMatchObject({ code })
  })
})

describe('the provider of the agent on plain Cordis', () => {
  const live = async (answer: Omit<ModelAnswer, 'text'>, step: StepInput) => {
    const server = await modelWith({ text: ['some ', 'of ', 'it'], ...answer })
    const env = { DEEPSEEK_API_KEY: modelKey, DEEPSEEK_BASE_URL: server.url }
    const scenario = { steps: [...prompts(), step], replay: [] }
    return await runScenario({ composition: plainComposition, mode: 'record', env, scenario })
  }
  const reasonOf = (run: ScenarioRun) => eventsOf(run).at(-1)?.data.reason
  const refused: StepInput = { op: 'promptExpectError', text: 'Hello?' }

  it('tells of a refusal', async () => {
    expect(reasonOf(await live({ fail: { status: 429, message: 'too many' } }, refused))).toEqual({
      kind: 'error',
      error: { message: 'too many', code: 'HTTP_429', status: 429 },
    })
  })

  it.each(['cut', 'end', 'malformed'] as const)('tells of a stream that breaks off: %s', async after => {
    const run = await live({ fail: { after } }, refused)
    expect(reasonOf(run)).toMatchObject({ kind: 'error', error: { message: expect.any(String) as string } })
    expect(eventsOf(run).find(({ type }) => type === 'assistant/message')?.data.message).toMatchObject({
      content: [{ type: 'text', text: 'some of it' }],
    })
  })

  it('stops where an answer is too long', async () => {
    const run = await live({ finish: 'length' }, { op: 'prompt', text: 'Hello?' })
    expect([run.stopReason, reasonOf(run)]).toEqual(['max_tokens', { kind: 'max-tokens' }])
  })

  it('lets go of a stream when the turn is cancelled', async () => {
    const run = await live({ fail: { after: 'hang' } }, { op: 'promptAndCancel', text: 'Hello?' })
    expect(run.stopReason).toBe('cancelled')
    expect(reasonOf(run)).toEqual({ kind: 'aborted', reason: { kind: 'user' } })
  })
})

describe('the end of the agent on plain Cordis', () => {
  it('cuts off the turn that is going on, and logs all of it', async () => {
    const server = await modelWith({ text: ['some ', 'of ', 'it'], fail: { after: 'hang' } })
    const host = await startComposition(
      { config: plainComposition },
      {
        network: 'open',
        env: folders => ({
          DEEPSEEK_API_KEY: modelKey,
          DEEPSEEK_BASE_URL: server.url,
          DSH_SNAPSHOT_SESSIONS_ROOT: folders.sessions,
        }),
      },
    )
    const client = connectClient(host.stdio, [])
    await client.request('initialize', { protocolVersion: 1 })
    const opened = await client.request('session/new', { cwd: host.cwd, mcpServers: [] })
    const { sessionId } = (opened as unknown as { readonly result: { readonly sessionId: string } }).result
    void client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Hello?' }] })
    await host.journal.until(
      ([session]) => session?.events.find(({ data }) => JSON.stringify(data).includes('"it"')),
      AbortSignal.timeout(10_000),
    )
    await host.dispose()
    client.close()
    expect(host.diagnostics()).toBe('')
    const log = host.logs().get(`${sessionId}/session.jsonl`)?.toString() ?? ''
    const types = log
      .split('\n')
      .filter(Boolean)
      .map(line => (JSON.parse(line) as { type: string }).type)
    expect(types.slice(-3)).toEqual(['assistant/message', 'step/end', 'turn/end'])
  })

  it('comes with the end of standard input, where nobody hands it a stream', async () => {
    const folder = compositionFolder({
      'run.ts': `
        import { findKernel } from ${JSON.stringify(sourceUrl('host/composition/find-kernel.ts'))}
        import { loadComposition } from ${JSON.stringify(sourceUrl('host/composition/composition.ts'))}
        import { importNamed } from ${JSON.stringify(sourceUrl('host/composition/modules.ts'))}
        import { mount } from ${JSON.stringify(sourceUrl('host/composition/mount.ts'))}
        const composition = await loadComposition({ config: ${JSON.stringify(plainComposition)} }, 'record')
        await mount(await findKernel(composition.folderUrl), composition, {
          importEntry: (name, from) => importNamed(name, from, 'the list'),
          reconfigure: (_plugin, config) => config,
          prepare: () => undefined,
          mounted: () => undefined,
          deadlineMs: 10_000,
          signal: undefined,
        })
      `,
    })
    const agent = spawn(process.execPath, ['--no-warnings', path.join(folder, 'run.ts')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    onTestFinished(() => void agent.kill('SIGKILL'))
    const closed = once(agent, 'close')
    const lines = createInterface(agent.stdout)[Symbol.asyncIterator]()
    agent.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n')
    const { value: line } = await lines.next()
    expect(JSON.parse(String(line))).toMatchObject({ id: 1, result: { protocolVersion: 1 } })
    agent.stdin.end()
    expect(await closed).toEqual([0, null])
  })
})
