import { expect, it } from 'vitest'
import { runScenario } from 'acp-snapshot'

it('writes the file that the model asks for', async () => {
  const args = JSON.stringify({ file_path: 'notes.txt', content: 'hello\n' })
  const run = await runScenario({
    composition: './fixtures/compositions/dsh/cordis.yml',
    workspace: 'memory',
    scenario: {
      steps: [
        { op: 'initialize' },
        { op: 'newSession' },
        { op: 'prompt', text: 'Write hello to notes.txt.' },
      ],
      replay: [
        {
          kind: 'chunks',
          chunks: [
            { type: 'block-start', index: 0, blockType: 'tool-call' },
            { type: 'tool-call-delta', index: 0, id: 'call_1', name: 'write', argumentsDelta: args },
            {
              type: 'block-end',
              index: 0,
              block: { type: 'tool-call', id: 'call_1', name: 'write', arguments: args },
            },
            { type: 'finish', reason: { kind: 'tool-calls' } },
          ],
        },
        {
          kind: 'chunks',
          chunks: [
            { type: 'block-start', index: 0, blockType: 'text' },
            { type: 'text-delta', index: 0, text: 'Done.' },
            { type: 'block-end', index: 0, block: { type: 'text', text: 'Done.' } },
            { type: 'finish', reason: { kind: 'stop' } },
          ],
        },
      ],
    },
  })
  expect(run.workspace.get('notes.txt')?.toString()).toBe('hello\n')
  expect(run.modelCalls).toHaveLength(2)
  expect(run.unconsumed).toEqual([])
})
