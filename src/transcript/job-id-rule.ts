import type { SessionLog } from '../session-log/types.ts'
import { FirstSight } from './first-sight.ts'
import { mapStrings } from './map-strings.ts'
import { escapePattern } from './path-pattern.ts'
import type { TextRule } from './text-rule.ts'

/** How a tool or a notice names a job: `started background job bash-7`, `background subagent job subagent-2 finished`. */
const announcement = /\bbackground (?:[a-z][\w-]* )?job (?<kind>[A-Za-z][\w-]*?)-(?<count>\d+)(?![\w-])/g
const word = 'background '
/** The shortest announcement there can be. */
const shortest = 'background job a-1'.length

/**
 * Compiles the rule that numbers background jobs by first sight, each kind on its own, once a text has announced them:
 * `bash-7` becomes `bash-1` there and wherever it stands from then on. A registry counts on for as long as it lives, which
 * may be longer than a mount.
 *
 * @param known - ids that were announced elsewhere before, in that order
 */
export function jobIdRule(known?: readonly string[]): TextRule {
  const jobs = new JobNumbers(known)
  return text => {
    jobs.notice(text)
    return jobs.renumber(text)
  }
}

/** The two steps of the rule, for whoever knows of a text that it was noticed before. */
export class JobNumbers {
  readonly #kinds = new Map<string, FirstSight>()
  /** By id, what it becomes; all that were seen, since what is right already may be what another becomes. */
  readonly #renumbered = new Map<string, string>()
  #pattern: RegExp | undefined

  constructor(known: readonly string[] = []) {
    for (const id of known) {
      const at = id.lastIndexOf('-')
      this.#see(id.slice(0, at), id.slice(at + 1))
    }
  }

  /** Takes in the jobs that a text announces. */
  notice(text: string): void {
    for (const { kind, count } of announced(text)) this.#see(kind, count)
  }

  /** The text with the numbers of the jobs that were announced so far. */
  renumber(text: string): string {
    if (this.#pattern === undefined) return text
    return text.replace(this.#pattern, id => String(this.#renumbered.get(id)))
  }

  #see(kind: string, count: string): void {
    const id = `${kind}-${count}`
    if (this.#renumbered.has(id)) return
    let seen = this.#kinds.get(kind)
    if (seen === undefined) this.#kinds.set(kind, (seen = new FirstSight()))
    this.#renumbered.set(id, `${kind}-${seen.numberOf(count)}`)
    const changed = [...this.#renumbered].filter(([was, is]) => was !== is).map(([was]) => escapePattern(was))
    if (changed.length > 0) this.#pattern = new RegExp(`(?<![\\w-])(?:${changed.join('|')})(?![\\w-])`, 'g')
  }
}

/** The ids of the jobs that logs announce, in order: in what tools and notices say. */
export function announcedJobs(logs: readonly SessionLog[]): string[] {
  const ids: string[] = []
  for (const { events } of logs) {
    for (const { type, data } of events) {
      if (type !== 'tool/result' && type !== 'user/message') continue
      mapStrings(data, text => {
        for (const { kind, count } of announced(text)) ids.push(`${kind}-${count}`)
        return text
      })
    }
  }
  return ids
}

const none: readonly never[] = []

function announced(text: string): readonly { readonly kind: string; readonly count: string }[] {
  if (text.length < shortest || !text.includes(word)) return none
  return Array.from(text.matchAll(announcement), ({ groups: { kind = '', count = '' } = {} }) => ({
    kind,
    count,
  }))
}
