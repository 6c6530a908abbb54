import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONGEST_FRAME, tapOutput } from '../../src/client/frame-tap.ts'

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

function streamOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunks)
}

/** Cuts the bytes at these places (each taken modulo the length). */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map(place => place % (bytes.byteLength + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((from, index) => bytes.slice(from, at[index] ?? bytes.byteLength))
}

async function textOf(readable: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(readable).text()
}

const frame = fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))

describe('tapOutput', () => {
  it('keeps every byte and passes every frame on, wherever the chunks are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(frame, fc.constantFrom('\n', '\r\n', '\n\n', '\n  \r\n'))),
        fc.array(fc.nat(), { maxLength: 40 }),
        async (lines, places) => {
          const written = lines.map(([value, end]) => JSON.stringify(value) + end).join('')
          const tap = tapOutput(streamOf(cut(encode(written), places)))
          const passedOn = await textOf(tap.readable)
          await tap.ended
          expect(tap.text()).toBe(written)
          expect(tap.bytes()).toEqual(encode(written))
          expect(passedOn.split('\n').map(line => line.trim())).toEqual([
            ...lines.map(([value]) => JSON.stringify(value)),
            '',
          ])
          expect(tap.firstImpureLine).toBeUndefined()
        },
      ),
    )
  })

  it('finds the first line that is not a frame, wherever it is and however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(frame),
        fc.array(frame),
        fc.array(fc.nat(), { maxLength: 20 }),
        async (before, after, places) => {
          const lines = [
            ...before.map(value => JSON.stringify(value)),
            'ready ✓',
            ...after.map(value => JSON.stringify(value)),
          ]
          const tap = tapOutput(streamOf(cut(encode(lines.join('\n')), places)))
          const passedOn = await textOf(tap.readable)
          expect(passedOn.split('\n').filter(line => line !== '')).toEqual(
            lines.filter(line => line !== 'ready ✓'),
          )
          expect((await tap.impure).details).toMatchObject({ line: before.length + 1, text: 'ready ✓' })
          expect(tap.text()).toBe(lines.join('\n'))
        },
      ),
    )
  })

  it.each([
    ['text', encode('Listening on 3000\r\n'), 'is not JSON: "Listening on 3000".'],
    ['a cut frame', encode('{"jsonrpc":"2.0"'), 'is not JSON: "{\\"jsonrpc\\":\\"2.0\\"".'],
    ['a number', encode('42\n'), 'is JSON, but not an object: "42".'],
    ['null', encode('null\n'), 'is JSON, but not an object: "null".'],
    ['a batch', encode('[{"jsonrpc":"2.0"}]\n'), 'is JSON, but not an object: '],
    ['a byte order mark', encode('\ufeff{}\n'), 'is not JSON: '],
    [
      'bytes that are not UTF-8',
      new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d, 0x0a]),
      'is not UTF-8: ',
    ],
  ])('names %s', async (_name, bytes, words) => {
    const tap = tapOutput(streamOf([encode('{}\n'), bytes]))
    const error = await tap.impure
    expect(error).toMatchObject({ name: 'SnapshotError', code: 'STDOUT_INVALID' })
    expect(error.message).toContain(`standard output, line 2, ${words}`)
    expect(error.message).toContain('standard error')
    expect(await textOf(tap.readable)).toBe('{}\n')
    expect(tap.bytes()).toEqual(new Uint8Array([...encode('{}\n'), ...bytes]))
    expect(tap.firstImpureLine).toBe(error)
  })

  it('shortens a long line', async () => {
    const { message } = await tapOutput(streamOf([encode(`${'x'.repeat(5000)}\n`)])).impure
    expect(message.length).toBeLessThan(500)
    expect(message).toContain('(5000 characters)')
  })

  it('says so at once, while the output goes on', async () => {
    const output = new TransformStream<Uint8Array, Uint8Array>()
    const writer = output.writable.getWriter()
    const tap = tapOutput(output.readable)
    await writer.write(encode('oops\n{"a":1}\n'))
    expect((await tap.impure).details).toMatchObject({ line: 1 })
    await writer.write(encode('again\n{"b":2}\n'))
    await writer.close()
    expect(await textOf(tap.readable)).toBe('{"a":1}\n{"b":2}\n')
    expect(tap.firstImpureLine?.details).toMatchObject({ line: 1 })
  })

  it('takes a line of 8 MB in small chunks, and many small lines, in linear time', async () => {
    const long = encode(`${JSON.stringify({ text: 'é'.repeat(4_000_000) })}\n`)
    const chunks: Uint8Array[] = []
    for (let at = 0; at < long.byteLength; at += 999) chunks.push(long.subarray(at, at + 999))
    const tap = tapOutput(streamOf(chunks))
    const passedOn = new Uint8Array(await new Response(tap.readable).arrayBuffer())
    expect(Buffer.compare(passedOn, long)).toBe(0)
    expect(tap.firstImpureLine).toBeUndefined()

    const many = encode('{"n":1}\n'.repeat(200_000))
    const second = tapOutput(streamOf([many]))
    await second.ended
    expect(Buffer.compare(second.bytes(), many)).toBe(0)
    expect(await textOf(second.readable)).toHaveLength(many.byteLength)
  }, 10_000)

  it.each([
    ['ends at last', encode(`${JSON.stringify({ text: 'x'.repeat(LONGEST_FRAME) })}\n{"a":1}\n`)],
    ['has not ended', encode('x'.repeat(LONGEST_FRAME + 1))],
    ['goes on', encode('x'.repeat(2 * LONGEST_FRAME))],
  ])('refuses a line that is longer than a frame may be, whether it %s', async (_name, bytes) => {
    const chunks: Uint8Array[] = []
    for (let at = 0; at < bytes.byteLength; at += 65_536) chunks.push(bytes.subarray(at, at + 65_536))
    const tap = tapOutput(streamOf(chunks))
    expect((await tap.impure).message).toContain('line 1, is longer than a frame may be: more than 8388608')
    expect(await textOf(tap.readable)).toBe(bytes.at(-1) === 10 ? '{"a":1}\n' : '')
  })

  it('tells of a line that has not ended', async () => {
    const output = new TransformStream<Uint8Array, Uint8Array>()
    const writer = output.writable.getWriter()
    const tap = tapOutput(output.readable)
    const reader = tap.readable.getReader()
    await writer.write(encode('{"a":1}\n{"b'))
    await reader.read()
    expect(tap.unfinished).toEqual({ bytes: 3, start: '{"b' })
    await writer.write(encode('":2}\n'))
    await reader.read()
    expect(tap.unfinished).toBeUndefined()
    await writer.write(encode('{"c":3}'))
    await writer.close()
    await tap.ended
    expect(tap.unfinished).toBeUndefined()
  })

  it('records to the end when nobody reads on', async () => {
    const output = new TransformStream<Uint8Array, Uint8Array>()
    const writer = output.writable.getWriter()
    const tap = tapOutput(output.readable)
    await writer.write(encode('{"a":1}\n'))
    await tap.readable.cancel()
    await writer.write(encode('{"b":2}\n'))
    await writer.close()
    await tap.ended
    expect(tap.text()).toBe('{"a":1}\n{"b":2}\n')
  })

  it('records to the end when nobody reads at all', async () => {
    const tap = tapOutput(streamOf(Array.from({ length: 100 }, (_, n) => encode(`{"n":${n}}\n`))))
    await tap.ended
    expect(tap.text().split('\n')).toHaveLength(101)
  })

  it('breaks for the client where the output breaks, and keeps what came', async () => {
    const output = new TransformStream<Uint8Array, Uint8Array>()
    const writer = output.writable.getWriter()
    const tap = tapOutput(output.readable)
    const passedOn = textOf(tap.readable)
    await writer.write(encode('{"a":1}\n{"b"'))
    await Promise.all([writer.abort(new Error('pipe broke')), expect(passedOn).rejects.toThrow('pipe broke')])
    await tap.ended
    expect(tap.text()).toBe('{"a":1}\n{"b"')
  })

  it('bears an output that breaks after the client has gone', async () => {
    const output = new TransformStream<Uint8Array, Uint8Array>()
    const writer = output.writable.getWriter()
    const tap = tapOutput(output.readable)
    await tap.readable.cancel()
    await writer.abort(new Error('pipe broke'))
    await expect(tap.ended).resolves.toBeUndefined()
  })

  it('does not keep the chunks of a producer that uses its buffer again', async () => {
    const output = new TransformStream<Uint8Array, Uint8Array>()
    const writer = output.writable.getWriter()
    const tap = tapOutput(output.readable)
    const buffer = encode('{"a":1}\n')
    await writer.write(buffer)
    buffer.fill(0x20)
    await writer.close()
    expect(await textOf(tap.readable)).toBe('{"a":1}\n')
    expect(tap.text()).toBe('{"a":1}\n')
  })
})
