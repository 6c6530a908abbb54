import { describe, expect, it } from 'vitest'
import { parseSuite, settingsOf } from '../../src/scenario/index.ts'
import { declared } from '../../src/scenario/settings.ts'

const suite = parseSuite(
  JSON.stringify({
    composition: 'shared.yml',
    scenarios: {
      own: { composition: 'own.yml', headerClass: 'small', workspace: 'memory', headerChanges: 2 },
      plain: { overridden: true },
    },
  }),
  'suite.json',
)

describe('settingsOf', () => {
  it.each(['a', 'constructor'])('has defaults where nothing is declared of %j', name => {
    const defaults = { headerClass: 'default', workspace: 'disk' }
    expect(settingsOf(undefined, name)).toEqual(defaults)
    expect(settingsOf({ scenarios: {} }, name)).toEqual(defaults)
    expect(settingsOf(suite, name)).toEqual({ ...defaults, composition: 'shared.yml' })
  })

  it("has the scenario's own before the suite's and the defaults", () => {
    expect(settingsOf(suite, 'own')).toEqual({
      composition: 'own.yml',
      headerClass: 'small',
      workspace: 'memory',
      headerChanges: 2,
    })
    expect(settingsOf(suite, 'plain')).toEqual({
      composition: 'shared.yml',
      headerClass: 'default',
      workspace: 'disk',
      overridden: true,
    })
  })
})

describe('declared', () => {
  it.each(['absent', 'constructor', '__proto__'])(
    'is nothing for %j, which the suite does not name',
    name => {
      expect(declared(suite, name)).toEqual({})
    },
  )
})
