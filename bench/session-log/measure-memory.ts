import { readFileSync } from 'node:fs'
import type { Memory } from './memory-of.ts'
import { readLog } from './read-log.ts'

const kept: unknown[] = [readFileSync(0, 'utf8')]
gc?.({ type: 'major', execution: 'sync' })
const before = process.memoryUsage()
kept.push(readLog(String(kept[0])))
const { maxRSS } = process.resourceUsage()
gc?.({ type: 'major', execution: 'sync' })
const held = process.memoryUsage().heapUsed - before.heapUsed
// In KB, where all else is in bytes.
const memory: Memory = { peak: maxRSS * 1024 - before.rss, held }
console.log(JSON.stringify(memory))
