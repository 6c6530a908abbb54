import { describe, expect, it } from 'vitest'

import {
  inactiveEntries,
  reportInactive,
  type StartErrors,
} from '../../../src/host/composition/entry-state.ts'
import type {
  KernelContext,
  KernelEntry,
  KernelFiber,
  KernelLoader,
} from '../../../src/host/composition/kernel.ts'

/** A fiber as the kernel has them: it keeps its start error to itself. */
const fiber = (state: number, rest: { inject?: string[]; provided?: string[]; error?: unknown } = {}) => {
  const { inject = [], provided = [], error } = rest
  const ctx = { get: (name: string) => (provided.includes(name) ? {} : undefined) } as KernelContext
  return {
    state,
    inject: Object.fromEntries(inject.map(name => [name, {}])),
    ctx,
    _error: error,
  } as unknown as KernelFiber
}

const entry = (name: string, of?: KernelFiber, disabled = false): KernelEntry => ({
  id: `id-of-${name}`,
  options: { name },
  disabled,
  ...(of === undefined ? {} : { fiber: of }),
})

const noErrors: StartErrors = { imports: new Map(), rows: new Map() }

const loader = (...entries: readonly KernelEntry[]) => ({ entries: () => entries }) as unknown as KernelLoader

describe('inactiveEntries', () => {
  it('leaves out what is active and what is switched off', () => {
    expect(
      inactiveEntries(
        loader(entry('a', fiber(2)), entry('b', undefined, true), entry('c', fiber(4), true)),
        noErrors,
      ),
    ).toEqual([])
  })

  it('tells the state of each: what failed first, what waits for a service last', () => {
    const failed = new Error('failed')
    const missing = new Error('missing')
    const entries = inactiveEntries(
      loader(
        entry('waits', fiber(0, { inject: ['moon', 'sun'], provided: ['sun'] })),
        entry('loads', fiber(1)),
        entry('fails', fiber(3, { error: failed })),
        entry('missing'),
        entry('odd', fiber(9)),
      ),
      { ...noErrors, imports: new Map([['missing', missing]]) },
    )
    expect(entries.map(({ name, state, missing, cause }) => [name, state, missing, cause])).toEqual([
      ['fails', 'failed', [], failed],
      ['missing', 'not imported', [], missing],
      ['loads', 'loading', [], undefined],
      ['odd', '9', [], undefined],
      ['waits', 'waiting', ['moon'], undefined],
    ])
  })

  it('tells of plain Cordis, too, what failed: an entry without a fiber, and one that waits with an error', () => {
    const why = new Error('why')
    const broken = entry('broken')
    const refused = entry('refused', fiber(0, { inject: ['moon'], error: why }))
    const entries = inactiveEntries(loader(refused, broken), {
      ...noErrors,
      rows: new Map([[broken.options, why]]),
    })
    expect(entries.map(({ name, state, missing, cause }) => [name, state, missing, cause])).toEqual([
      ['refused', 'failed', [], why],
      ['broken', 'failed', [], why],
    ])
  })

  it('takes an expression that throws for a failure of its entry', () => {
    const error = new ReferenceError('nothing is not defined')
    const broken = Object.defineProperty({ ...entry('broken') }, 'disabled', {
      get: () => {
        throw error
      },
    })
    expect(inactiveEntries(loader(broken), noErrors)).toMatchObject([{ name: 'broken', cause: error }])
  })
})

describe('reportInactive', () => {
  it('says of each what it is, what it waits for, and why', () => {
    const base = { id: 'e', missing: [], cause: undefined }
    const failed = { ...base, name: 'a', state: 'failed', cause: new Error('why') }
    const waiting = { ...base, name: 'b', state: 'waiting', missing: ['moon', 'sun'] }
    const loading = { ...base, name: 'c', state: 'loading' }
    expect(reportInactive([failed], 'did not start')).toBe(
      'an entry of the composition did not start. Mend the plugin that failed, or what it is configured with: ' +
        'others may only wait for it.\n  - a (entry e) is failed: why',
    )
    expect(reportInactive([waiting], 'did not start')).toBe(
      'an entry of the composition did not start. Add entries for plugins that provide what is missing.\n' +
        '  - b (entry e) is waiting; it waits for moon, sun, which nothing provides',
    )
    expect(reportInactive([loading], 'is still starting')).toBe(
      'an entry of the composition is still starting. Look for what the plugin awaits in its apply, or allow it more ' +
        'time.\n  - c (entry e) is loading',
    )
    expect(reportInactive([{ ...failed, cause: 'a word' }, waiting], 'are not there')).toMatch(
      /^2 entries of the composition are not there\. Mend .*\n.*failed: a word\n.*waiting/,
    )
  })
})
