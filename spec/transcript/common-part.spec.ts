import { describe, expect, it } from 'vitest'
import { commonPart } from '../../src/transcript/common-part.ts'

describe('commonPart', () => {
  it.each([
    [['/run/1/home', '/tmp/run/1/tmp', '/run/1/x'], '/run/1/'],
    [['/a/run', '/b/run'], '/run'],
    [['/only'], '/only'],
    [['ab', 'cd'], ''],
    [['', 'x'], ''],
    [[], ''],
  ])('of %j is %j', (texts, part) => expect(commonPart(texts)).toBe(part))
})
