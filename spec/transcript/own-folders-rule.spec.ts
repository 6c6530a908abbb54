import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ownFoldersRule } from '../../src/transcript/own-folders-rule.ts'

const rule = ownFoldersRule({
  homes: ['/run/1/home'],
  temps: ['/run/1/tmp', '/run/tmp'],
  sessionRoots: ['/virtual/1/sessions'],
})

describe('ownFoldersRule', () => {
  it.each([
    ['HOME=/run/1/home', 'HOME={{home}}'],
    ['ls /run/1/home/.config/x', 'ls {{home}}/.config/x'],
    ['"/run/1/tmp","/run/tmp/a"', '"{{tmp}}","{{tmp}}/a"'],
    ['file:///run/1/home/a.txt', 'file://{{home}}/a.txt'],
    ['/private/run/1/tmp/a', '{{tmp}}/a'],
    ['/virtual/1/sessions', '{{sessions}}'],
    ['/virtual/1/sessions/--run-1-workspace--/id/session.jsonl', '{{sessions}}/{{project}}/id/session.jsonl'],
    ['/virtual/1/sessions/_no-cwd/id', '{{sessions}}/_no-cwd/id'],
  ])('%s becomes %s', (text, expected) => expect(rule(text)).toBe(expected))

  it.each([
    '/run/1/home-backup',
    '/run/1/homes',
    '/other/run/1/home',
    '/run/1',
    'home',
    '/virtual/1/sessions2/--a--/x',
  ])('%s stays', text => expect(rule(text)).toBe(text))

  it('does nothing without folders', () => {
    expect(ownFoldersRule({ homes: [], temps: [], sessionRoots: [] })('/run/1/home')).toBe('/run/1/home')
  })

  it('changes nothing when it is applied again', () => {
    const parts = [
      '/run/1/home',
      '/run/1/tmp',
      '/run/tmp',
      '/virtual/1/sessions',
      '--run-1--',
      '/',
      ' ',
      '"',
      '{{tmp}}',
      'x',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts)), words => {
        const once = rule(words.join(''))
        expect(rule(once)).toBe(once)
      }),
      { numRuns: 2000 },
    )
  })
})
