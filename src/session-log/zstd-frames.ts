/** A whole frame that begins where it was looked for. */
export interface ZstdFrame {
  /** The place after its last byte. */
  readonly end: number
  /** Holds what is not for a decoder. */
  readonly skippable: boolean
}

/** What is wrong with a frame, as the end of a sentence about it. */
export interface ZstdFlaw {
  readonly flaw: string
}

const FRAME = 0xfd2fb528
const SKIPPABLE = 0x184d2a50

/** Whether the bytes begin with a Zstandard frame of either kind. */
export function beginsWithZstd(bytes: Uint8Array): boolean {
  if (bytes.length < 4) return false
  const magic = viewOf(bytes).getUint32(0, true)
  return magic === FRAME || isSkippable(magic)
}

/**
 * Finds the end of the frame that begins at `start`, by the layout of RFC 8878 and without decoding it: Node's decoder
 * reads the first of many frames and no other, and before version 24 takes one that is cut off for a whole one.
 */
export function zstdFrameAt(bytes: Uint8Array, start: number): ZstdFrame | ZstdFlaw {
  const view = viewOf(bytes)
  try {
    const magic = view.getUint32(start, true)
    const skippable = isSkippable(magic)
    if (magic !== FRAME && !skippable) return { flaw: 'does not begin as one does' }
    const end = skippable ? start + 8 + view.getUint32(start + 4, true) : frameEnd(view, start + 4)
    if (end === undefined) return { flaw: 'is damaged: it has a block of a reserved type' }
    if (end <= bytes.length) return { end, skippable }
  } catch {
    // Its header, or that of a block, goes on beyond the last byte.
  }
  return { flaw: 'is cut off' }
}

/** Undefined where a block is of the type that the format reserves. */
function frameEnd(view: DataView, headerAt: number): number | undefined {
  const descriptor = view.getUint8(headerAt)
  let at = headerAt + 1 + headerFields(descriptor)
  for (let last = false; !last;) {
    const block = view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
    last = (block & 1) === 1
    const type = (block >> 1) & 3
    if (type === 3) return undefined
    // A block of one repeated byte has its length in place of its size.
    at += 3 + (type === 1 ? 1 : block >> 3)
  }
  const hasChecksum = (descriptor & 4) !== 0
  return at + (hasChecksum ? 4 : 0)
}

/** How many bytes the header's window, dictionary and content size take, each there or not. */
function headerFields(descriptor: number): number {
  const singleSegment = (descriptor & 32) !== 0
  const dictionary = descriptor & 3
  const contentSize = descriptor >> 6
  return (
    (singleSegment ? 0 : 1) +
    (dictionary === 3 ? 4 : dictionary) +
    (contentSize === 0 ? Number(singleSegment) : 1 << contentSize)
  )
}

function isSkippable(magic: number): boolean {
  return magic >= SKIPPABLE && magic <= SKIPPABLE + 15
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
