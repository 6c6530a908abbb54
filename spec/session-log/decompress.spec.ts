import { constants, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeLogBytes, firstLineOf } from '../../src/session-log/decompress.ts'
import { parseSessionLog } from '../../src/session-log/index.ts'
import { logEvents, packedInBatches } from './arbitraries.ts'
import { HEADER_LINE, refusal, textDelta, textOf } from './logs.ts'

const frame = (content: string | Uint8Array): Buffer =>
  zstdCompressSync(content, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })
const decode = (...parts: readonly Uint8Array[]): string => decodeLogBytes(Buffer.concat(parts), 'a.zstd')
const refused = (...parts: readonly Uint8Array[]): string => refusal(() => decode(...parts))

/** What a decoder steps over: a magic number of sixteen, a length, content. */
function skippable(content: string, kind = 0): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32LE(0x184d2a50 + kind, 0)
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, Buffer.from(content)])
}

describe('decodeLogBytes', { timeout: 30_000 }, () => {
  it('takes plain bytes for UTF-8', () => {
    for (const text of ['', '{', '{}\n', 'é → 𝒳\n', '\uFEFF{}']) {
      expect(decodeLogBytes(Buffer.from(text), 'a.jsonl')).toBe(text)
    }
  })

  it('goes by the bytes, not by the name, but for a name that promises what no byte keeps', () => {
    for (const name of ['a.zst', 'a.zstd']) {
      for (const text of ['', '{}\n']) expect(decodeLogBytes(Buffer.from(text), name)).toBe(text)
      expect(refusal(() => decodeLogBytes(Buffer.from('GIF89a'), name))).toBe(
        `${name}: the file's name is that of a log compressed with Zstandard, but it does not begin with a Zstandard ` +
          'frame, nor with a JSON line. Compress it anew, or restore it.',
      )
    }
    expect(decodeLogBytes(frame('{}\n'), 'a.jsonl')).toBe('{}\n')
  })

  it('reads all of many frames, and steps over what is not for it', () => {
    expect(decode(frame('a\n'), frame('b\n'), frame(''), frame('é\n'))).toBe('a\nb\né\n')
    expect(decode(skippable('x'), frame('a\n'), skippable('', 15), frame('b\n'), skippable('yz', 7))).toBe(
      'a\nb\n',
    )
    expect(decode(skippable('nothing else'))).toBe('')
  })

  it('joins what frames have cut apart, a character too', () => {
    const bytes = Buffer.from('a→b')
    expect(decode(frame(bytes.subarray(0, 2)), frame(bytes.subarray(2)))).toBe('a→b')
  })

  it('reads frames of every layout that the encoder writes', () => {
    const options = fc.record({
      level: fc.constantFrom(-5, 1, 3, 19),
      checksum: fc.constantFrom(0, 1),
      contentSize: fc.constantFrom(0, 1),
    })
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 300, max: 127 }),
      fc
        .tuple(fc.integer({ min: 0, max: 127 }), fc.constantFrom(0, 1, 255, 256, 70_000, 400_000))
        .map(([byte, length]) => new Uint8Array(length).fill(byte)),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(content, options), { minLength: 1, maxLength: 4 }), parts => {
        const frames = parts.map(([bytes, { level, checksum, contentSize }]) =>
          zstdCompressSync(bytes, {
            params: {
              [constants.ZSTD_c_compressionLevel]: level,
              [constants.ZSTD_c_checksumFlag]: checksum,
              [constants.ZSTD_c_contentSizeFlag]: contentSize,
            },
          }),
        )
        const whole = Buffer.concat(parts.map(([bytes]) => bytes)).toString()
        expect(decode(...frames)).toBe(whole)
      }),
      { numRuns: 300 },
    )
  })

  it('refuses a file that is cut off anywhere, unless it is between frames', () => {
    const first = frame('first\n')
    const bytes = Buffer.concat([first, frame('second\n'.repeat(9)), skippable('the end')])
    const ends = new Set([first.length, bytes.length - skippable('the end').length, bytes.length])
    for (let length = 4; length <= bytes.length; length++) {
      const cut = bytes.subarray(0, length)
      if (ends.has(length)) expect(decode(cut)).toMatch(/^first\n/)
      else {
        expect(refused(cut)).toMatch(
          /^a\.zstd: the Zstandard frame at byte \d+ is cut off; expected whole frames up to the end of the file\. Restore the file, or record the session again\.$/,
        )
      }
    }
  })

  it('refuses a damaged frame and what is none', () => {
    const good = frame('first\n')
    const bad = frame('second second second\n')
    bad[bad.length - 1] = Number(bad.at(-1)) ^ 1
    expect(refused(good, bad)).toMatch(
      new RegExp(
        `^a\\.zstd: the Zstandard frame at byte ${good.length} is damaged: .*checksum.*; expected whole frames`,
      ),
    )
    expect(refused(good, Buffer.from('{"type":"turn/start"}\n'))).toContain(
      `the Zstandard frame at byte ${good.length} does not begin as one does; expected`,
    )
    const reserved = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 0b111, 0, 0])
    expect(refused(reserved)).toContain('is damaged: it has a block of a reserved type; expected')
    // A frame that names a dictionary, in a field of each length there is.
    for (const [flag, length] of [
      [1, 1],
      [2, 2],
      [3, 4],
    ] as const) {
      const header = [0x28, 0xb5, 0x2f, 0xfd, 0x20 | flag, ...Array.from({ length }, () => 7), 0]
      expect(refused(Buffer.from([...header, 1, 0, 0]))).toMatch(/is damaged: .*[Dd]ictionary/)
    }
  })

  it('never gives another text for a flipped bit, nor another kind of error', () => {
    const bytes = Buffer.concat([frame('{"a":1}\n'.repeat(40)), frame('{"b":2}\n')])
    const text = decode(bytes)
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), bit => {
        const flipped = Buffer.from(bytes)
        flipped[bit >> 3] = Number(flipped[bit >> 3]) ^ (1 << (bit & 7))
        let decoded = text
        try {
          decoded = decodeLogBytes(flipped, 'a.zstd')
        } catch (error) {
          expect(error).toMatchObject({ code: 'SESSION_LOG_INVALID', details: { file: 'a.zstd' } })
        }
        expect(decoded).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })

  it('refuses more text than the limit', () => {
    const message =
      'a.jsonl: the log has more than 6 bytes of text, the most that is read. Record several shorter sessions instead.'
    const limited = (...parts: readonly Uint8Array[]) => decodeLogBytes(Buffer.concat(parts), 'a.jsonl', 6)
    expect(limited(Buffer.from('abcdef'))).toBe('abcdef')
    expect(limited(frame('abcdef'), frame(''))).toBe('abcdef')
    expect(limited(frame('abc'), frame('def'))).toBe('abcdef')
    for (const parts of [
      [Buffer.from('abcdefg')],
      [frame('abcdefg')],
      [frame('abcdefghi')],
      [frame('abcdef'), frame('g')],
      [frame('abc'), frame('defghi')],
    ]) {
      expect(refusal(() => limited(...parts))).toBe(message)
    }
  })

  it('does not unpack a bomb', () => {
    const bomb = frame(Buffer.alloc(2 ** 24))
    const bytes = Buffer.concat(Array.from({ length: 100 }, () => bomb))
    expect(bytes.length).toBeLessThan(500_000)
    expect(refusal(() => decodeLogBytes(bytes, 'a.zstd'))).toContain('has more than 67108864 bytes of text')
    const plain = Buffer.alloc(2 ** 26 + 1)
    expect(refusal(() => decodeLogBytes(plain, 'a.jsonl'))).toContain(
      'a.jsonl: the log has more than 67108864',
    )
  })

  it('refuses what is not UTF-8, compressed or not', () => {
    const message =
      'a.zstd: the log is not UTF-8 text; expected JSON lines in UTF-8, plain or compressed with Zstandard. Restore the ' +
      'file, or record the session again.'
    const bytes = Buffer.from([0x7b, 0xff, 0x7d])
    expect(refused(bytes)).toBe(message)
    expect(refused(frame(bytes))).toBe(message)
  })
})

describe('firstLineOf', () => {
  it('gives the first line, however the file is stored', () => {
    expect(firstLineOf(Buffer.from('one\ntwo\n'))).toBe('one')
    expect(firstLineOf(Buffer.from('one'))).toBe('one')
    expect(firstLineOf(Buffer.from(''))).toBe('')
    expect(firstLineOf(Buffer.concat([skippable('x'), frame('o'), frame('ne\ntwo'), frame('\n')]))).toBe(
      'one',
    )
  })

  it('looks no further than that, and gives nothing where it does not come so far', () => {
    expect(firstLineOf(Buffer.concat([frame('one\n'), Buffer.from('rubbish')]))).toBe('one')
    expect(firstLineOf(Buffer.concat([frame('one'), Buffer.from('rubbish')]))).toBeUndefined()
    expect(firstLineOf(frame('one\n').subarray(0, 12))).toBeUndefined()
  })
})

describe('a compressed log', () => {
  it('is read as the same log in plain bytes is: a frame for the header, and one for each batch', () => {
    fc.assert(
      fc.property(logEvents, fc.array(fc.integer({ min: 1, max: 5 })), (events, sizes) => {
        const lines = packedInBatches(events, sizes).map(row => `${JSON.stringify(row)}\n`)
        const stored = Buffer.concat([frame(`${HEADER_LINE}\n`), ...lines.map(frame)])
        const plain = Buffer.from([`${HEADER_LINE}\n`, ...lines].join(''))
        expect(parseSessionLog(stored, 'session.jsonl')).toStrictEqual(
          parseSessionLog(plain, 'session.jsonl'),
        )
      }),
      { numRuns: 200 },
    )
  })

  it('has its lines counted in the text', () => {
    const stored = Buffer.concat([
      frame(`${HEADER_LINE}\n`),
      frame(`${JSON.stringify(textDelta(0, 'a'))}\n{\n`),
    ])
    expect(refusal(() => parseSessionLog(stored, 'session.jsonl.zstd'))).toMatch(
      /^session\.jsonl\.zstd:3: not JSON/,
    )
  })

  it('may have 20,000 frames', () => {
    const frames = Array.from({ length: 20_000 }, (_, seq) =>
      frame(`${JSON.stringify(textDelta(seq, 'a'))}\n`),
    )
    const stored = Buffer.concat([frame(textOf()), ...frames])
    expect(parseSessionLog(stored, 'session.jsonl.zstd').events).toHaveLength(20_000)
  }, 60_000)
})
