import { expect, it } from 'vitest'
import { inventory } from '../../../src/scenario/index.ts'
import { sidecarName } from '../../../src/transcript/index.ts'

it('names the files that a scenario folder is known to hold', () => {
  const prompts = [0, 2].map(session => [session, sidecarName('prompt', session)] as const)
  const tools = [0, 11].map(session => [session, sidecarName('tools', session)] as const)
  const entries = [...prompts, ...tools].map(([, name]) => ({ name, kind: 'file' }) as const)
  expect(inventory(entries, 'one')).toMatchObject({
    systemPrompts: new Map(prompts),
    toolSchemas: new Map(tools),
    unknown: [],
  })
  expect(prompts[0]).toEqual([0, 'system-prompt.expected.md'])
})
