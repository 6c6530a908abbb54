import { describe, expect, it } from 'vitest'

import { agentLog } from '../../src/host/agent-log.ts'

describe('agentLog', () => {
  it('is empty where nothing was logged', () => {
    expect(agentLog(' \n\n', 'it failed')).toBe('')
  })

  it('has the last lines, of each the beginning', () => {
    const lines = Array.from({ length: 25 }, (_, line) => `line ${line} ${'x'.repeat(500)}`)
    const [empty, title, first, ...more] = agentLog(lines.join('\n'), 'it failed').split('\n')
    expect([empty, title]).toEqual(['', 'The agent logged:'])
    expect(first).toBe(`  ${lines[5]?.slice(0, 400)}`)
    expect(more).toHaveLength(19)
  })

  it('does not repeat the error, plain or as it is inspected', () => {
    const message = "it's over\nand done"
    const log = `agent: ${message}\nError: { message: "it's over\\nand done" }`
    expect(agentLog(log, message)).toBe(
      '\nThe agent logged:\n  agent: (the error above)\n  Error: { message: "(the error above)" }',
    )
  })
})
