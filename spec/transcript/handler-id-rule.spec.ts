import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/session-log/types.ts'
import { handlerIdRule } from '../../src/transcript/handler-id-rule.ts'
import { sessionLog } from './logs.ts'

/** The handler ids that the rule makes of those of one log. */
function renumber(
  ids: readonly JsonObject[string][],
  type = 'hook/invoked',
): (JsonObject[string] | undefined)[] {
  return sessionLog(ids.map(handlerId => [type, { handlerId }] as const))
    .events.map(handlerIdRule())
    .map(({ data }) => data.handlerId)
}

describe('handlerIdRule', () => {
  it('numbers the handlers of a dialect by first sight', () => {
    expect(
      renumber([
        'claude-code:PreToolUse:7',
        'claude-code:Stop:9',
        'claude-code:PreToolUse:7',
        'claude-code:PreToolUse:8',
      ]),
    ).toEqual([
      'claude-code:PreToolUse:1',
      'claude-code:Stop:2',
      'claude-code:PreToolUse:1',
      'claude-code:PreToolUse:3',
    ])
  })

  it('counts each dialect on its own', () => {
    expect(renumber(['codex:7', 'claude-code:a:b:7', 'codex:5'])).toEqual([
      'codex:1',
      'claude-code:a:b:1',
      'codex:2',
    ])
  })

  it('gives the same wherever the count stood, and leaves what is right', () => {
    const once = renumber(['x:Stop:31', 'x:Start:30', 'x:Stop:31'])
    expect(once).toEqual(renumber(['x:Stop:2', 'x:Start:1', 'x:Stop:2']))
    expect(renumber(once as string[])).toEqual(once)
  })

  it('shows that another handler came first', () => {
    expect(renumber(['x:Stop:1', 'x:Start:2'])).not.toEqual(renumber(['x:Start:2', 'x:Stop:1']))
  })

  it.each(['named', 'x:named', ':7', '7', 'x:7b', 4, null])('leaves %j', id => {
    expect(renumber([id])).toEqual([id])
  })

  it('looks at hooks alone, at results of them too', () => {
    expect(renumber(['x:7'], 'hook/result')).toEqual(['x:1'])
    expect(renumber(['x:7'], 'user/message')).toEqual(['x:7'])
    expect(sessionLog([['hook/invoked', {}]]).events.map(handlerIdRule())[0]?.data).toEqual({})
  })
})
