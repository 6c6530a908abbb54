import { pathToFileURL } from 'node:url'

import { expect, it } from 'vitest'

import { pathOf } from '../../src/vitest/paths.ts'

it.each([
  ['./scenarios', './scenarios'],
  ['/a b', '/a b'],
  [pathToFileURL('/a b'), '/a b'],
  [pathToFileURL('/a b').href, '/a b'],
])('takes %s for a path', (given, path) => {
  expect(pathOf(given)).toBe(path)
})
