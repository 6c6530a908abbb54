import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cwdRule } from '../../src/transcript/cwd-rule.ts'

const delimiters = Array.from(' \t\n<>\'"`()[]{},;:!?=')
const rule = cwdRule(['/tmp/run-1'])

describe('where a working directory begins', () => {
  it.each(delimiters)('after %j', before => {
    expect(rule(`x${before}/tmp/run-1`)).toBe(`x${before}{{cwd}}`)
  })

  it('at the start and in a file URI', () => {
    expect(rule('/tmp/run-1')).toBe('{{cwd}}')
    expect(rule('see file:///tmp/run-1/a.ts')).toBe('see file://{{cwd}}/a.ts')
  })

  it.each(['x', '-', '.', '/', '\\', '_', 'https://'])('not after %j', before => {
    expect(rule(`${before}/tmp/run-1`)).toBe(`${before}/tmp/run-1`)
  })

  it('with /private before it, which needs the boundary then', () => {
    expect(rule('cd /private/tmp/run-1/a')).toBe('cd {{cwd}}/a')
    expect(rule('/x/private/tmp/run-1')).toBe('/x/private/tmp/run-1')
  })
})

describe('where a working directory ends', () => {
  it.each(delimiters)('before %j', after => {
    expect(rule(`/tmp/run-1${after}x`)).toBe(`{{cwd}}${after}x`)
  })

  it('before a separator or a full stop that ends a sentence', () => {
    expect(rule('/tmp/run-1/a.b')).toBe('{{cwd}}/a.b')
    expect(rule('in /tmp/run-1.')).toBe('in {{cwd}}.')
    expect(rule('in /tmp/run-1. Then')).toBe('in {{cwd}}. Then')
    expect(rule('"/tmp/run-1."')).toBe('"{{cwd}}."')
  })

  it.each(['-backup', '0', '.bak', '..', '_', '~', '@'])('not before %j', after => {
    expect(rule(`/tmp/run-1${after}`)).toBe(`/tmp/run-1${after}`)
  })
})

describe('which folders are looked for', () => {
  it('takes the longest alias first, in whatever order they come', () => {
    const nested = cwdRule(['/a', '/a/b/c', '/a/b'])
    expect(nested('/a/b/c/d /a/b/x /a/x')).toBe('{{cwd}}/d {{cwd}}/x {{cwd}}/x')
  })

  it('finds each of several in a list of paths', () => {
    expect(rule('PATH=/tmp/run-1/bin:/usr/bin:/tmp/run-1')).toBe('PATH={{cwd}}/bin:/usr/bin:{{cwd}}')
  })

  it('ignores trailing separators, and pattern characters mean themselves', () => {
    expect(cwdRule(['/tmp/a+b (c)/'])('/tmp/a+b (c)/d')).toBe('{{cwd}}/d')
    expect(cwdRule(['/tmp/a.b'])('/tmp/axb')).toBe('/tmp/axb')
  })

  it.each(['', '/', 'C:\\', 'work', './w', '/x/{{sessionId}}'])('never looks for %j', cwd => {
    const text = `${cwd} /etc C:\\x work ./w`
    expect(cwdRule([cwd])(text)).toBe(text)
  })

  it('looks for a folder below a token as for the token', () => {
    expect(cwdRule(['{{cwd}}/packages/a'])('{{cwd}}/packages/a/x')).toBe('{{cwd}}/packages/a/x')
  })
})

describe('separators', () => {
  const windows = cwdRule(['C:\\Users\\me\\run'])

  it.each(['C:\\Users\\me\\run', 'C:/Users/me/run', 'C:\\\\Users\\\\me\\\\run'])('finds %s', spelling => {
    expect(windows(`at ${spelling}.`)).toBe('at {{cwd}}.')
  })

  it('finds a drive in a file URI, and a share', () => {
    expect(windows('file:///C:/Users/me/run/a')).toBe('file:///{{cwd}}/a')
    expect(cwdRule(['\\\\host\\share\\run'])('in \\\\host\\share\\run\\a')).toBe('in {{cwd}}/a')
  })

  it('turns backslashes round below the working directory and nowhere else', () => {
    expect(windows('C:\\Users\\me\\run\\src\\a.ts and C:\\other\\b')).toBe(
      '{{cwd}}/src/a.ts and C:\\other\\b',
    )
    expect(rule('/tmp/run-1\\src\\a.ts, x\\y')).toBe('{{cwd}}/src/a.ts, x\\y')
    expect(rule('{{cwd}}\\src\\a.ts x{{cwd}}\\a')).toBe('{{cwd}}/src/a.ts x{{cwd}}\\a')
  })

  it('reads doubled backslashes, as JSON text has them, as one separator', () => {
    expect(windows(JSON.stringify({ path: 'C:\\Users\\me\\run\\src\\a' }))).toBe('{"path":"{{cwd}}/src/a"}')
  })

  it('leaves the escape of a quote in JSON text alone', () => {
    const args = JSON.stringify({ command: 'cat "/tmp/run-1" "/tmp/run-1/a"' })
    expect(JSON.parse(rule(args))).toEqual({ command: 'cat "{{cwd}}" "{{cwd}}/a"' })
    expect(JSON.parse(windows(JSON.stringify({ command: 'cd "C:\\Users\\me\\run\\"' })))).toEqual({
      command: 'cd "{{cwd}}/"',
    })
  })
})

describe('tokens', () => {
  it('takes /private off a token', () => {
    expect(rule('/private{{cwd}}/a')).toBe('{{cwd}}/a')
  })

  it('gives no boundary, so that a second pass finds no more than the first', () => {
    expect(cwdRule(['/w'])('/w/w/w/a')).toBe('{{cwd}}/w/w/a')
    expect(cwdRule(['/w'])('{{cwd}}/w/a')).toBe('{{cwd}}/w/a')
    expect(rule('/tmp/run-1{{sessionId}} /tmp/run-1.{{sessionId}}')).toBe(
      '/tmp/run-1{{sessionId}} /tmp/run-1.{{sessionId}}',
    )
  })
})

describe('names that only begin like the working directory', () => {
  const near = cwdRule(['/run/cwd', '/private/run/real', 'C:\\run\\cwd'])

  it.each([
    ...[
      '/run/cwd-backup',
      '/run/cwd2',
      '/run/cwd.old/x',
      '/run/cwd_x',
      'file:///run/cwd-backup/x',
      '/other/run/cwd',
    ],
    ...[
      '/run/real',
      '/run',
      '/run/cw',
      'C:\\run\\cwd2',
      'C:/run/cwd-backup',
      'D:\\run\\cwd',
      'file:///C:/run/cwd2',
    ],
    ...[
      '/tmp/notes.txt',
      '/private/tmp/notes.txt',
      'file:///tmp/notes.txt',
      '/run/cwd%2Fx',
      'file:///run/cwd%2D2',
    ],
  ])('%s stays', text => {
    expect(near(`in ${text} now`)).toBe(`in ${text} now`)
  })

  it.each([
    ['/private/run/cwd/a', '{{cwd}}/a'],
    ['/private/run/real/a', '{{cwd}}/a'],
    ['file:///private/run/cwd/a', 'file://{{cwd}}/a'],
    ['C:/run\\cwd/a\\b', '{{cwd}}/a/b'],
    ['C:\\\\run\\\\cwd\\\\a', '{{cwd}}/a'],
    ['file:///C:/run/cwd/a', 'file:///{{cwd}}/a'],
  ])('%s is its own', (text, expected) => {
    expect(near(`in ${text} now`)).toBe(`in ${expected} now`)
  })
})

describe('a file URI', () => {
  it.each([
    ['/tmp/a b', 'file:///tmp/a%20b/x%20y.txt', 'file://{{cwd}}/x%20y.txt'],
    ['/tmp/a b', 'file:/tmp/a%20b', 'file:{{cwd}}'],
    ['/tmp/a b', 'file:///tmp/a b/x', 'file://{{cwd}}/x'],
    ['/tmp/a b', 'file:///private/tmp/a%20b/x', 'file://{{cwd}}/x'],
    ['/tmp/100%', 'file:///tmp/100%25/x', 'file://{{cwd}}/x'],
    ['/tmp/c#', '[x](file:///tmp/c%23/x)', '[x](file://{{cwd}}/x)'],
    ['/tmp/é', '"file:///tmp/%C3%A9"', '"file://{{cwd}}"'],
    ['/tmp/é', 'file:///tmp/%c3%a9/x', 'file://{{cwd}}/x'],
    ['/tmp/é (1)', 'file:///tmp/é%20(1).', 'file://{{cwd}}.'],
    ['/tmp/é (1)', 'file:///tmp/%C3%A9%20%281%29/x', 'file://{{cwd}}/x'],
    ['C:\\Users\\Zoë M\\run', 'file:///C:/Users/Zo%C3%AB%20M/run/a', 'file:///{{cwd}}/a'],
  ])('of %s: %s', (cwd, text, expected) => {
    expect(cwdRule([cwd])(text)).toBe(expected)
  })

  it.each([
    ['/tmp/a b', '/tmp/a%20b/x'],
    ['/tmp/a b', 'file:///tmp/a%20bc/x'],
    ['/tmp/a b', 'file:///tmp/a%20b-backup'],
    ['/tmp/a b', 'file:///tmp/a%2520b'],
    ['/tmp/a b', 'file:///x/tmp/a%20b'],
    ['/tmp/a b', 'https:///tmp/a%20b'],
    ['/tmp/ab', 'file:///tmp/%61b'],
  ])('of %s is not %s', (cwd, text) => {
    expect(cwdRule([cwd])(text)).toBe(text)
  })

  it('names the longest of several folders, whichever is spelled plainly', () => {
    const several = cwdRule(['/w', '/w/a b', '/w/a b/c'])
    expect(several('file:///w/a%20b/c/x file:///w/a%20b/x file:///w/x')).toBe(
      'file://{{cwd}}/x file://{{cwd}}/x file://{{cwd}}/x',
    )
  })

  it('keeps the escape of a quote in JSON text', () => {
    const args = JSON.stringify({ command: 'open "file:///tmp/a%20b" "file:///tmp/a%20b/c"' })
    expect(JSON.parse(cwdRule(['/tmp/a b'])(args))).toEqual({
      command: 'open "file://{{cwd}}" "file://{{cwd}}/c"',
    })
  })

  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).filter(isFolderName)
  const cwds = fc.array(name, { minLength: 1, maxLength: 3 }).map(names => `/${names.join('/')}`)

  it('is found however its path is encoded', () => {
    fc.assert(
      fc.property(cwds, cwd => {
        const found = cwdRule([cwd])
        // A URL would lose a blank at its end.
        const file = `${cwd}/x.txt`
        for (const uri of [
          pathToFileURL(file).href,
          new URL(`file://${file.replace(/[%#?\\]/g, encodeURIComponent)}`).href,
          `file://${file.split('/').map(encodeURIComponent).join('/')}`,
        ]) {
          expect(found(`see ${uri}, or`)).toBe('see file://{{cwd}}/x.txt, or')
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('is left as it is by a second pass', () => {
    const rules = [cwdRule(['/a b', '/r']), cwdRule(['/r', '/r/é', '/r/é/x'])]
    const parts = [
      '/a%20b',
      '/a b',
      '/r',
      '/%C3%A9',
      '/é',
      '/x',
      'file://',
      'file:',
      '{{cwd}}',
      '/private',
      '\\',
      '"',
      ' ',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts)), words => {
        for (const apply of rules) {
          const once = apply(words.join(''))
          expect(apply(once)).toBe(once)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

/** A URL takes out dots, line ends and what looks like a drive; what holds a token is no path. */
function isFolderName(name: string): boolean {
  return !/^\.{1,2}$|^[A-Za-z]\|$|[/\0\t\n\r]|\\$|\{\{/.test(name)
}
