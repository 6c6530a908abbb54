import { describe, expect, it } from 'vitest'
import { subprocessOutputRule as rule } from '../../src/transcript/subprocess-output-rule.ts'

const name = 'dsh-subprocess-4711-3-0a1b2c3d4e5f-stdout.log'

describe('where the path of a subprocess output begins', () => {
  it.each([
    ['[output truncated; full output: ', '/tmp/', ']'],
    ['', '/var/folders/q_/T/', ''],
    ['see "', '/private/tmp/', '".'],
    ['in ', 'C:\\Users\\me\\Temp\\', ' now'],
    ['(', '\\\\host\\share\\', ')'],
    ['file://', '/tmp/', ' '],
    ['file:///', 'C:/Temp/', ' '],
    ['at ', '{{cwd}}/.tmp/', '.'],
    ['at ', '/tmp/{{sessionId}}/', '.'],
    ['output:', '/tmp/', ''],
  ])('%j %s', (before, folder, after) => {
    expect(rule(`${before}${folder}dsh-subprocess-AbC123/${name}${after}`)).toBe(
      `${before}{{spillLocator:stdout.log}}${after}`,
    )
  })

  it('finds each of several, up to the one before', () => {
    const path = `/t/dsh-subprocess-AbC123/${name}`
    expect(rule(`${path} ${path}${path.replace('stdout', 'stderr')}`)).toBe(
      '{{spillLocator:stdout.log}} {{spillLocator:stdout.log}}{{spillLocator:stderr.log}}',
    )
  })
})

describe('what every run shares of the name', () => {
  it.each([
    [name, 'stdout.log'],
    ['dsh-subprocess-1-1-0a1b2c3d4e5f-stderr.log', 'stderr.log'],
    ['bash-0a1b2c3d4e5f.log', 'bash.log'],
    ['bash-4711.log', 'bash.log'],
    ['bash-3f2504e0-4f89-41d3-9a0c-0305e82c3301.log', 'bash.log'],
    ['4711', 'output'],
    ['plain.log', 'plain.log'],
    ['facade-step-two.log', 'facade-step-two.log'],
  ])('%s: %s', (file, shared) => {
    expect(rule(`/tmp/dsh-subprocess-AbC123/${file}`)).toBe(`{{spillLocator:${shared}}}`)
  })
})

describe('what is no such path', () => {
  it.each([
    'the package @deepseek-ai/dsh-subprocess-local is used',
    'dsh-subprocess-AbC123/stdout.log',
    '/tmp/xdsh-subprocess-AbC123/stdout.log',
    '/tmp/dsh-subprocess-AbC123',
    '/tmp/dsh-subprocess-AbC123/ is empty',
    '/tmp/dsh-subprocess-/stdout.log',
  ])('%s', text => {
    expect(rule(text)).toBe(text)
  })
})
