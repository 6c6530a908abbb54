import { describe, expect, it } from 'vitest'

import { runScenario, type CompositionOptions } from '../../../src/index.ts'
import { PatchPost } from '../../../src/host/composition/patch-post.ts'
import { answers, prompts } from '../../support/model-answers.ts'
import { dshComposition } from '../../support/paths.ts'

const rows = [
  { id: 'a', name: 'a' },
  { id: 'g', name: 'cordis:group', config: [{ id: 'b', name: 'b' }] },
  { name: 'nameless' },
]

describe('PatchPost', () => {
  it('gives a file the patches for its rows, those in groups too', () => {
    const patches = [{ id: 'b', disabled: true }, { id: 'c', disabled: true }, { insert: [{ name: 'x' }] }]
    const post = new PatchPost(patches)
    expect(post.deliver('/overlay.yml', [{ id: 'c', name: 'c' }], [])).toEqual([patches[1], patches[2]])
    expect(post.deliver('/base.yml', rows, [])).toEqual([patches[0]])
    expect(() => post.checkDelivered('/overlay.yml')).not.toThrow()
    expect([...post.byFile.keys()]).toEqual(['/overlay.yml', '/base.yml'])
  })

  it('reaches rows that another patch inserts', () => {
    const own = [{ insert: [{ id: 'i', name: 'i' }] }]
    const patches = [
      { insert: [{ id: 'j', name: 'j' }] },
      { id: 'i', disabled: true },
      { id: 'j', disabled: true },
    ]
    expect(new PatchPost(patches).deliver('/a.yml', rows, own)).toEqual(patches)
  })

  it('gives a file that is included twice the same patches', () => {
    const post = new PatchPost([{ id: 'a', disabled: true }])
    expect(post.deliver('/a.yml', rows, [])).toBe(post.deliver('/a.yml', rows, []))
  })

  it('names a patch that fits nothing', () => {
    const post = new PatchPost([{ id: 'zebra', disabled: true }])
    post.deliver('/a.yml', rows, [])
    expect(() => post.checkDelivered('/a.yml')).toThrow(
      'patches: no entry of /a.yml or of what it includes has the id "zebra"',
    )
  })
})

describe('the patches of a composition', () => {
  const toolsOffered = async (composition: Partial<CompositionOptions>): Promise<string> => {
    const { modelCalls } = await runScenario({
      composition: { config: dshComposition, ...composition },
      scenario: { steps: prompts('Hello?'), replay: [answers({ text: 'Hello.' })] },
    })
    return JSON.stringify(modelCalls[0]?.request)
  }

  it('reach the rows of the file that an overlay includes', async () => {
    expect(await toolsOffered({})).toContain('todo_write')
    expect(await toolsOffered({ patches: [{ id: 'tool-todo', disabled: true }] })).not.toContain('todo_write')
  })

  it('fail a run that they do not fit', async () => {
    await expect(toolsOffered({ patches: [{ id: 'tool-tada', disabled: true }] })).rejects.toThrow(
      '"tool-tada"',
    )
  })
})
