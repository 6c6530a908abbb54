import { expect, it } from 'vitest'

import { isHeaderLine } from '../../src/session-log/is-header-line.ts'

it.each([
  ['{"type":"session","version":0}', true],
  ['{"type":"session","version":9,"more":1}', true],
  ['\uFEFF{"type":"session","version":0}', true],
  ['{"type":"session"}', false],
  ['{"type":"note","version":0}', false],
  ['{"version":0}', false],
  ['"session"', false],
  ['null', false],
  ['', false],
  [`{"type":"session","version":0,"more":"${'x'.repeat(2 ** 20)}"}`, false],
])('knows a log by its first line: %.40s', (line, known) => {
  expect(isHeaderLine(line)).toBe(known)
})
