import { describe, expect, it } from 'vitest'

import { checkPluginShape } from '../../../src/host/composition/plugin-shape.ts'
import { problemOf } from '../../support/thrown.ts'

const apply = (): void => undefined
class Service {
  static readonly inject = ['llm']
  readonly name = 'service'
}

describe('checkPluginShape', () => {
  it.each([
    ['named exports alone', { name: 'x', inject: ['llm'], Config: {}, apply }],
    ['a default export that has it all', { inject: ['llm'], default: { inject: ['llm'], apply } }],
    ['a class as default export', { Service, inject: Service.inject, default: Service }],
    ['a default export and nothing that it could hide', { default: apply, name: 'x' }],
    ['a default export that is no plugin', { inject: ['llm'], apply, default: null }],
    ['a default export that is text', { inject: ['llm'], apply, default: 'x' }],
    ['a function', apply],
    ['nothing', undefined],
    ['null', null],
  ])('takes %s', (_what, module) => {
    expect(() => checkPluginShape(module, './plugin.js')).not.toThrow()
  })

  it('refuses a default export that hides what is exported by name, and says what would be lost', async () => {
    const one = await problemOf(() =>
      checkPluginShape({ inject: ['llm'], apply, default: apply }, './plugin.js'),
    )
    expect(one).toMatchObject({
      code: 'COMPOSITION_FAILED',
      details: { entry: './plugin.js', lost: ['inject'] },
    })
    expect(one.message).toContain(
      '"./plugin.js" exports inject by name and also a default export that lacks it.',
    )
    const both = await problemOf(() =>
      checkPluginShape({ inject: ['llm'], Config: {}, default: { apply } }, './plugin.js'),
    )
    expect(both.message).toContain(
      'exports inject, Config by name and also a default export that lacks them.',
    )
    expect(both.message).toContain('put inject and Config on it')
  })
})
