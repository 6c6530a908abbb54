import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseScript, type ScriptChoice } from '../../src/llm-replay/choose-script.ts'
import type { SessionLineage } from '../../src/llm-replay/lineage.ts'
import type { SessionScript } from '../../src/llm-replay/script.ts'
import { script } from './scripts.ts'

const hang = { kind: 'hang' } as const

/** A script of one entry, or as many as are said. */
function recorded(
  number: number,
  { parent, entries = 1, ...lineage }: SessionLineage & { readonly entries?: number } = {},
): SessionScript {
  const made = script(
    Array.from({ length: entries }, () => hang),
    number,
  )
  return { ...made, ...(parent === undefined ? {} : { parentSession: parent }), lineage: { ...lineage } }
}

/** Sessions that call for the first time, one after the other, by their ids: the number of the script that each gets. */
function choose(
  scripts: readonly SessionScript[],
  calls: readonly (readonly [sessionId: string | undefined, lineage?: SessionLineage])[],
): (number | undefined)[] {
  const bindings: { sessionId: string | undefined; script: SessionScript }[] = []
  return calls.map(([sessionId, lineage]) => {
    const unbound = scripts.filter(script => !bindings.some(bound => bound.script === script))
    const choice: ScriptChoice = { sessionId, lineage, scripts, unbound, bindings: [...bindings] }
    const chosen = chooseScript(choice)
    if (chosen !== undefined) bindings.push({ sessionId, script: chosen })
    return chosen?.number
  })
}

/** What as many children of one lineage get, one after the other, once their parent has the primary. */
function chooseForChildren(
  scripts: readonly SessionScript[],
  live: SessionLineage,
  count: number,
): (number | undefined)[] {
  const children = Array.from({ length: count }, (_, index) => [`child-${index}`, live] as const)
  return choose(scripts, [['root', {}], ...children]).slice(1)
}

const primary = recorded(0, { prompt: 'Begin.' })
const zero = '00000000-0000-0000-0000-000000000000'

describe('chooseScript', () => {
  it('gives calls without an id the primary or nothing', () => {
    expect(choose([primary, recorded(1)], [[undefined]])).toEqual([0])
    expect(choose([primary, recorded(1)], [['a'], [undefined]])).toEqual([0, undefined])
    expect(choose([], [[undefined]])).toEqual([undefined])
  })

  it('goes by the order of first calls where nothing is known of a session', () => {
    const scripts = [primary, recorded(1, { parent: 'recorded-0' }), recorded(2)]
    expect(choose(scripts, [['a'], ['b'], ['c'], ['d']])).toEqual([0, 1, 2, undefined])
  })

  it('passes over a script without entries while another is left, where nothing is known', () => {
    const scripts = [recorded(0, { entries: 0 }), recorded(1), recorded(2, { entries: 0 })]
    expect(choose(scripts, [['a'], ['b'], ['c'], ['d']])).toEqual([1, 0, 2, undefined])
  })

  it('keeps a script whose lineage is a condition for the session that meets it', () => {
    const only = (lineage: SessionLineage): SessionScript => ({
      ...recorded(1, { parent: '{{sessionId}}', ...lineage }),
      lineageIsCondition: true,
    })
    const given = (script: SessionScript, live: SessionLineage): number | undefined =>
      choose(
        [primary, script],
        [
          ['root', { prompt: 'Begin.' }],
          ['child', { parent: 'root', ...live }],
        ],
      )[1]
    const sea = { prompt: 'Name a sea.' }
    const water = { label: 'Water' }
    for (const [wanted, fitting, other] of [
      [{}, [{}, sea, water], []],
      [sea, [sea, { ...sea, ...water }], [{}, water, { prompt: 'Name a lake.' }]],
      [water, [water, { ...sea, ...water }], [{}, sea, { label: 'Fire' }]],
      [{ ...sea, ...water }, [{ ...sea, ...water }], [sea, water, { ...sea, label: 'Fire' }]],
    ] as const) {
      for (const live of fitting) expect(given(only(wanted), live)).toBe(1)
      for (const live of other) {
        expect(given(only(wanted), live)).toBeUndefined()
        expect(given({ ...only(wanted), lineageIsCondition: false }, live)).toBe(1)
      }
    }
  })

  it('gives each sibling its own, in whatever order they first call', () => {
    const word = fc.constantFrom('a', 'b', 'c', undefined)
    const lineages = fc
      .uniqueArray(fc.record({ label: word, prompt: word }), {
        minLength: 1,
        maxLength: 8,
        selector: ({ label, prompt }) => `${label}/${prompt}`,
      })
      .map(list => list.map(({ label, prompt }) => ({ ...(label && { label }), ...(prompt && { prompt }) })))
    const runs = lineages.chain(list =>
      fc.record({
        list: fc.constant(list),
        order: fc.shuffledSubarray([...list.keys()], { minLength: list.length }),
        parent: fc.constantFrom('recorded-0', '{{sessionId}}', zero, 'not-recorded'),
      }),
    )
    fc.assert(
      fc.property(runs, ({ list, order, parent }) => {
        const scripts = [
          primary,
          ...list.map((lineage, index) => recorded(index + 1, { ...lineage, parent })),
        ]
        const calls = order.map(index => [`live-${index}`, { ...list[index], parent: 'root' }] as const)
        expect(choose(scripts, [['root', { prompt: 'Begin.' }], ...calls])).toEqual([
          0,
          ...order.map(at => at + 1),
        ])
      }),
    )
  })

  it('goes by the order of first calls among siblings that nothing tells apart', () => {
    const same = { parent: 'recorded-0', label: 'Water', prompt: 'Name a sea.' }
    const scripts = [
      primary,
      recorded(1, same),
      recorded(2, { ...same, prompt: 'Name a lake.' }),
      recorded(3, same),
    ]
    const live = { ...same, parent: 'root' }
    expect(
      choose(scripts, [
        ['root', {}],
        ['a', live],
        ['b', live],
      ]),
    ).toEqual([0, 1, 3])
  })

  it.each([
    ['its prompt before its label', { label: 'A', prompt: 'b' }, 2],
    ['its label where no prompt is its own', { label: 'A', prompt: 'z' }, 1],
    ['the first where neither is', { label: 'Z', prompt: 'z' }, 1],
  ])('goes by %s', (_what, lineage, number) => {
    const parent = 'recorded-0'
    const scripts = [
      primary,
      recorded(1, { parent, label: 'A', prompt: 'a' }),
      recorded(2, { parent, label: 'B', prompt: 'b' }),
      recorded(3, { parent, label: 'B', prompt: 'c' }),
    ]
    expect(
      choose(scripts, [
        ['root', {}],
        ['a', { parent: 'root', ...lineage }],
      ]),
    ).toEqual([0, number])
  })

  it('takes one of which less is recorded before one of which something else is', () => {
    const parent = 'recorded-0'
    const scripts = [
      primary,
      recorded(1, { parent, prompt: 'a' }),
      recorded(2, { parent }),
      recorded(3, { parent, label: 'B' }),
      recorded(4, { parent, label: 'Q', prompt: 'a' }),
    ]
    const live = (label: string, prompt: string): SessionLineage => ({ parent: 'root', label, prompt })
    expect(
      choose(scripts, [
        ['root', {}],
        ['x', live('X', 'x')],
        ['b', live('B', 'b')],
        ['q', live('Q', 'a')],
      ]),
    ).toEqual([0, 2, 3, 4])
  })

  it('goes by the parent before all else', () => {
    const same = { label: 'same', prompt: 'same' }
    const scripts = [
      primary,
      recorded(1, { parent: 'recorded-0', label: 'one', prompt: 'one' }),
      recorded(2, { parent: 'recorded-0', label: 'two', prompt: 'two' }),
      recorded(3, { parent: 'recorded-1', ...same }),
      recorded(4, { parent: 'recorded-2', ...same }),
    ]
    const calls: readonly (readonly [string, SessionLineage])[] = [
      ['root', {}],
      ['two', { parent: 'root', label: 'two', prompt: 'two' }],
      ['of two', { parent: 'two', ...same }],
      ['one', { parent: 'root', label: 'one', prompt: 'one' }],
      ['of one', { parent: 'one', ...same }],
    ]
    expect(choose(scripts, calls)).toEqual([0, 2, 4, 1, 3])
    // One of the same parent, whatever it says, and none of another.
    expect(choose(scripts, [...calls.slice(0, 2), ['odd', { parent: 'two', label: 'odd' }]])).toEqual([
      0, 2, 4,
    ])
    expect(choose(scripts.slice(0, 4), calls.slice(0, 3))).toEqual([0, 2, undefined])
  })

  it('prefers a parent that is its own to one that nobody knows', () => {
    const lineage = { label: 'same', prompt: 'same' }
    const scripts = [
      primary,
      recorded(1, { parent: '{{sessionId}}', ...lineage }),
      recorded(2, { parent: 'recorded-0' }),
    ]
    expect(
      choose(scripts, [
        ['root', {}],
        ['a', { parent: 'root', ...lineage }],
        ['b', { parent: 'root' }],
      ]),
    ).toEqual([0, 2, 1])
  })

  it('takes any child of a session whose parent has no script', () => {
    const scripts = [primary, recorded(1, { parent: 'recorded-0' })]
    expect(choose(scripts, [['a', { parent: 'never called' }]])).toEqual([1])
  })

  it('gives a child no script of the primary, whatever it says', () => {
    const prompt = 'Name a sea.'
    const child = { parent: 'root', prompt }
    expect(choose([recorded(0, { prompt })], [['a', child]])).toEqual([undefined])
    expect(choose([recorded(0, { prompt, parent: 'elsewhere' })], [['a', child]])).toEqual([undefined])
    expect(choose([recorded(0, { prompt }), recorded(1, { parent: zero })], [['a', child]])).toEqual([1])
  })

  it('gives a child a script of which no parent is recorded, where none is left whose parent is its own', () => {
    const prompt = 'Name a sea.'
    const scripts = [primary, recorded(1, { prompt }), recorded(2, { parent: 'recorded-0' })]
    const child = { parent: 'root', prompt }
    expect(
      choose(scripts, [
        ['root', {}],
        ['a', child],
        ['b', child],
        ['c', child],
      ]),
    ).toEqual([0, 2, 1, undefined])
  })

  it('gives a session of a client no script of a child, whatever it says', () => {
    const scripts = [
      primary,
      recorded(1, { parent: 'recorded-0', prompt: 'second' }),
      recorded(2, { prompt: 'x' }),
    ]
    const calls: readonly (readonly [string, SessionLineage])[] = [
      ['first', { prompt: 'Begin.' }],
      ['second', { prompt: 'second' }],
      ['third', { prompt: 'second' }],
    ]
    expect(choose(scripts, calls)).toEqual([0, 2, undefined])
  })

  it('gives a session of a client what is recorded of one before what may be of a child', () => {
    const scripts = [primary, recorded(1, { parent: zero, prompt: 'second' }), recorded(2, { prompt: 'x' })]
    expect(
      choose(scripts, [
        ['first', { prompt: 'Begin.' }],
        ['second', { prompt: 'second' }],
        ['third', {}],
      ]),
    ).toEqual([0, 2, 1])
  })

  it('takes the primary for a session of a client, though its log says that another started it', () => {
    expect(choose([recorded(0, { parent: 'elsewhere' })], [['a', {}]])).toEqual([0])
  })

  it('tells the sessions of a client apart by their prompts, whichever calls first', () => {
    const scripts = [primary, recorded(1, { prompt: 'second' })]
    expect(
      choose(scripts, [
        ['b', { prompt: 'second' }],
        ['a', { prompt: 'Begin.' }],
      ]),
    ).toEqual([1, 0])
  })

  it('passes over a script without entries, though it fits best, while another fits at all', () => {
    const parent = 'recorded-0'
    const scripts = [
      primary,
      recorded(1, { parent, prompt: 'a', entries: 0 }),
      recorded(2, { parent, prompt: 'b' }),
      recorded(3, { prompt: 'a' }),
    ]
    const live: SessionLineage = { parent: 'root', prompt: 'a' }
    expect(chooseForChildren(scripts, live, 4)).toEqual([2, 3, 1, undefined])
  })

  it('takes the first of those that fit best, though another that fits as well has no entries', () => {
    const lineage = { parent: 'recorded-0', prompt: 'a' }
    const scripts = [
      primary,
      recorded(1, { ...lineage, entries: 0 }),
      recorded(2, lineage),
      recorded(3, lineage),
    ]
    expect(
      choose(scripts, [
        ['root', {}],
        ['a', { parent: 'root', prompt: 'a' }],
      ]),
    ).toEqual([0, 2])
  })

  it('takes the best of those without entries where all that fit have none', () => {
    const parent = 'recorded-0'
    const scripts = [
      primary,
      recorded(1, { parent, prompt: 'a', entries: 0 }),
      recorded(2, { parent, prompt: 'b', entries: 0 }),
      recorded(3, { parent, prompt: 'b', entries: 0 }),
    ]
    const live: SessionLineage = { parent: 'root', prompt: 'b' }
    expect(chooseForChildren(scripts, live, 4)).toEqual([2, 3, 1, undefined])
  })

  it('takes no token for the id of a session, though every log has it', () => {
    const any = '{{sessionId}}'
    const child = { parent: any, prompt: 'same' }
    const scripts = [primary, recorded(1, { parent: any }), recorded(2, child)].map(script => ({
      ...script,
      id: any,
    }))
    const live: SessionLineage = { parent: 'child', prompt: 'same' }
    expect(
      choose(scripts, [
        ['root', {}],
        ['child', { parent: 'root', label: 'x' }],
        ['grandchild', live],
      ]),
    ).toEqual([0, 1, 2])
  })

  it('takes scripts of which no lineage is recorded', () => {
    const scripts = [script([hang]), { ...script([hang], 1), parentSession: 'recorded-0' }]
    expect(
      choose(scripts, [
        ['root', { prompt: 'a' }],
        ['child', { parent: 'root', label: 'b' }],
      ]),
    ).toEqual([0, 1])
  })
})
