import { dirname, join, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compositionCandidates, compositionNotFound, parseSuite } from '../../src/scenario/index.ts'
import { thrown } from '../support/thrown.ts'

const root = resolve('/')
const scenarios = join(root, 'repo', 'tests', 'scenarios')
const suiteFile = join(scenarios, 'suite.json')
const option = join(root, 'elsewhere', 'cordis.yml')
const where = { scenarioDir: join(scenarios, 'demo'), scenarioName: 'demo' }

function suite(document: object) {
  return { file: suiteFile, suite: parseSuite(JSON.stringify(document), suiteFile) }
}

describe('compositionCandidates', () => {
  it("has the scenario's own entry alone, relative to suite.json", () => {
    const both = suite({ composition: 'shared.yml', scenarios: { demo: { composition: '../own.yml' } } })
    expect(compositionCandidates({ ...where, suite: both, option })).toEqual([
      {
        path: join(root, 'repo', 'tests', 'own.yml'),
        reason: `named for this scenario in ${suiteFile}`,
        declared: true,
      },
    ])
  })

  it.each([{ scenarios: { demo: {}, other: { composition: 'x.yml' } } }, { scenarios: {} }])(
    "else the suite's alone",
    document => {
      const shared = suite({ composition: 'shared.yml', ...document })
      expect(compositionCandidates({ ...where, suite: shared, option })).toEqual([
        {
          path: join(scenarios, 'shared.yml'),
          reason: `named for all scenarios in ${suiteFile}`,
          declared: true,
        },
      ])
    },
  )

  it('else the option alone', () => {
    const expected = [{ path: option, reason: 'given for this run', declared: true }]
    expect(compositionCandidates({ ...where, option })).toEqual(expected)
    expect(compositionCandidates({ ...where, suite: suite({ scenarios: { demo: {} } }), option })).toEqual(
      expected,
    )
  })

  it('else every cordis.yml upwards, nearest first', () => {
    expect(compositionCandidates(where)).toEqual([
      { path: join(scenarios, 'demo', 'cordis.yml'), reason: "in the scenario's folder", declared: false },
      ...[scenarios, dirname(scenarios), join(root, 'repo'), root].map(folder => ({
        path: join(folder, 'cordis.yml'),
        reason: "in a folder above the scenario's",
        declared: false,
      })),
    ])
  })

  it('takes an absolute path of the suite as it is', () => {
    const absolute = suite({ composition: option, scenarios: {} })
    expect(compositionCandidates({ ...where, suite: absolute })[0]?.path).toBe(option)
  })

  it('goes up one folder at a time and ends at the root', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b c', '...', 'é')), parts => {
        const folders = compositionCandidates({ ...where, scenarioDir: join(root, ...parts) }).map(
          ({ path }) => dirname(path),
        )
        expect(folders).toHaveLength(parts.length + 1)
        expect(folders[0]).toBe(join(root, ...parts))
        expect(folders.at(-1)).toBe(root)
        for (const [index, folder] of folders.slice(1).entries())
          expect(folder).toBe(dirname(folders[index] ?? ''))
      }),
    )
  })

  it.each([
    ['scenarioDir', { ...where, scenarioDir: 'demo' }],
    ['option', { ...where, option: './cordis.yml' }],
    ['suite.file', { ...where, suite: { file: 'suite.json', suite: { scenarios: {} } } }],
  ])('refuses a relative %s', (name, lookup) => {
    const error = thrown(() => compositionCandidates(lookup))
    expect(error.code).toBe('USAGE')
    expect(error.message).toMatch(new RegExp(`^${name} is ".+"; expected an absolute path`))
  })
})

describe('compositionNotFound', () => {
  it('lists where it looked', () => {
    const candidates = compositionCandidates({ scenarioDir: join(root, 'a'), scenarioName: 'demo' })
    const error = compositionNotFound('demo', candidates)
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.details).toEqual({ scenario: 'demo', candidates })
    expect(error.message.split('\n')).toEqual([
      'no composition for the scenario "demo"; looked for:',
      `- ${join(root, 'a', 'cordis.yml')}: in the scenario's folder`,
      `- ${join(root, 'cordis.yml')}: in a folder above the scenario's`,
      'Put a cordis.yml at one of these places, name one with --composition, or declare "composition" in suite.json.',
    ])
  })

  it('says that a named one must exist', () => {
    const { message } = compositionNotFound('demo', compositionCandidates({ ...where, option }))
    expect(message).toContain(`- ${option}: given for this run\nA composition that is named must exist`)
  })
})
