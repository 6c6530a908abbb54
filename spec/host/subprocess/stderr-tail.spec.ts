import { describe, expect, it } from 'vitest'

import { StderrTail } from '../../../src/host/subprocess/stderr-tail.ts'

describe('StderrTail', () => {
  it('keeps all of a little', () => {
    const tail = new StderrTail()
    for (const part of ['one ', 'two ', 'thrée']) tail.append(Buffer.from(part))
    expect(tail.text()).toBe('one two thrée')
    expect(tail.total).toBe(14)
  })

  it('keeps the last mebibyte of a lot, and says how much there was before', () => {
    const tail = new StderrTail()
    for (let line = 0; line < 50_000; line += 1)
      tail.append(Buffer.from(`${String(line).padStart(99, ' ')}\n`))
    expect(tail.total).toBe(5_000_000)
    const text = tail.text()
    expect(text.startsWith(`(${5_000_000 - 2 ** 20} bytes before)\n`)).toBe(true)
    expect(text.endsWith(' 49999\n')).toBe(true)
    expect(Buffer.byteLength(text)).toBeLessThan(2 ** 20 + 40)
    expect(tail.text()).toBe(text)
  })
})
