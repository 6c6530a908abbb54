import { describe, expect, it } from 'vitest'
import { sourceKind } from '../../src/session-log/source-kind.ts'

describe('sourceKind', () => {
  it.each([
    [{ kind: 'user', more: 1 }, 'user'],
    [{ kind: 7 }, 7],
    [{ plugin: 'x' }, undefined],
    [['kind'], undefined],
    ['user', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('of %j is %j', (source, kind) => expect(sourceKind(source)).toBe(kind))
})
