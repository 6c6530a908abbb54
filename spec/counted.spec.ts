import { expect, it } from 'vitest'

import { counted } from '../src/counted.ts'

it.each([
  [0, '0 scenarios'],
  [1, '1 scenario'],
  [2, '2 scenarios'],
])('counts %i', (count, words) => {
  expect(counted(count, 'scenario')).toBe(words)
})
