import { describe, fail, wrong } from './fail.ts'
import { isCount, isInteger } from './integers.ts'
import { isRawObject, type RawObject } from './json-line.ts'
import type { LogPlace, PackedRow, TextChunksRow, ToolCallChunksRow } from './types.ts'

type PackedType = PackedRow['type']

/** Whether rows of this type are packed runs: they never are events of a log. */
export function isPackedType(type: string): type is PackedType {
  return type === 'text-chunks' || type === 'reasoning-chunks' || type === 'tool-call-chunks'
}

/**
 * Checks all of a packed row but whether the times of its members stay in the safe range.
 *
 * @param restoredSeq - the seq of the first member of a row that has neither seq0 nor time0; undefined where the row
 *   must have both
 * @returns a new row with its keys in the order of the format
 */
export function readPackedRow(
  row: RawObject,
  type: PackedType,
  place: LogPlace,
  restoredSeq: number | undefined,
): PackedRow {
  checkKeys(row, restoredSeq === undefined ? COMPLETE_KEYS : PROJECTED_KEYS, `the ${type} row`, place)
  const { seq0 = restoredSeq, time0 = 0, data } = row
  if (!isCount(seq0)) throw wrong(place, 'seq0', seq0, 'a safe integer >= 0')
  if (!isCount(time0)) throw wrong(place, 'time0', time0, 'a safe integer >= 0: epoch milliseconds')
  if (!isRawObject(data)) throw wrong(place, 'data', data, 'an object')
  if (type === 'tool-call-chunks') return { type, seq0, time0, data: readToolCallData(data, seq0, place) }
  return { type, seq0, time0, data: readTextData(data, seq0, `the data of the ${type} row`, place) }
}

const COMPLETE_KEYS = ['type', 'seq0', 'time0', 'data']
const PROJECTED_KEYS = ['type', 'data']
const TEXT_KEYS = ['turn', 'step', 'index', 'dt', 'texts']
const TOOL_CALL_KEYS = ['turn', 'step', 'index', 'dt', 'id', 'args']
const NAMED_TOOL_CALL_KEYS = ['turn', 'step', 'index', 'dt', 'id', 'name', 'args']

function readTextData(data: RawObject, seq0: number, what: string, place: LogPlace): TextChunksRow['data'] {
  checkKeys(data, TEXT_KEYS, what, place)
  const texts = readMembers(data.texts, 'data.texts', seq0, place)
  return { ...readBlock(data, place), dt: readGaps(data.dt, texts.length, place), texts }
}

function readToolCallData(data: RawObject, seq0: number, place: LogPlace): ToolCallChunksRow['data'] {
  const { id, name } = data
  const keys = name === undefined ? TOOL_CALL_KEYS : NAMED_TOOL_CALL_KEYS
  checkKeys(data, keys, 'the data of the tool-call-chunks row', place)
  if (typeof id !== 'string') throw wrong(place, 'data.id', id, 'a string')
  if (name !== undefined && typeof name !== 'string') {
    throw wrong(place, 'data.name', name, 'a string, or no such key')
  }
  const args = readMembers(data.args, 'data.args', seq0, place)
  const dt = readGaps(data.dt, args.length, place)
  return { ...readBlock(data, place), dt, id, ...(name !== undefined && { name }), args }
}

function checkKeys(value: RawObject, keys: readonly string[], what: string, place: LogPlace): void {
  for (const key of keys) {
    if (value[key] === undefined)
      throw fail(place, `${what} has no ${key}; expected exactly ${keys.join(', ')}`)
  }
  const unknown = Object.keys(value).find(key => !keys.includes(key))
  if (unknown === undefined) return
  throw fail(place, `${what} has the unknown key ${describe(unknown)}; expected exactly ${keys.join(', ')}`)
}

function readBlock(data: RawObject, place: LogPlace): { turn: number; step: number; index: number } {
  const numberAt = (key: string): number => {
    const value = data[key]
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw wrong(place, `data.${key}`, value, 'a number')
    return value
  }
  return { turn: numberAt('turn'), step: numberAt('step'), index: numberAt('index') }
}

function readMembers(value: unknown, path: string, seq0: number, place: LogPlace): readonly string[] {
  const expected = 'an array of at least one string'
  if (!Array.isArray(value) || value.length === 0) throw wrong(place, path, value, expected)
  const members: readonly unknown[] = value
  const bad = members.findIndex(member => typeof member !== 'string')
  if (bad >= 0) throw wrong(place, `${path}[${bad}]`, members[bad], 'a string')
  if (!isCount(seq0 + (members.length - 1))) {
    throw wrong(
      place,
      'seq0',
      seq0,
      `one that leaves the seqs of all ${members.length} members safe integers`,
    )
  }
  return members as readonly string[]
}

function readGaps(value: unknown, memberCount: number, place: LogPlace): readonly number[] {
  const expected = `an array of ${memberCount - 1} safe integers, one fewer than there are members`
  if (!Array.isArray(value) || value.length !== memberCount - 1)
    throw wrong(place, 'data.dt', value, expected)
  const gaps: readonly unknown[] = value
  let k = 0
  for (const gap of gaps) {
    if (!isInteger(gap)) throw wrong(place, `data.dt[${k}]`, gap, 'a safe integer: milliseconds')
    k++
  }
  return gaps as readonly number[]
}
