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
