import { SnapshotError } from '../errors.ts'
import type { NormalizeContext } from './normalize-context.ts'
import type { NormalizationRule } from './rule.ts'
import { showPair } from './shorten.ts'
import { equalValues } from './value-difference.ts'

/** The parts that a rule may have. */
type Part = 'text' | 'event' | 'header' | 'frame'
/** What a compiled part takes and gives. */
type Subject<P extends Part> = Parameters<ReturnType<NonNullable<NormalizationRule[P]>>>[0]

/**
 * One part of the rules that a context adds to the built-in ones, compiled: each in its turn. Undefined where none has it.
 *
 * @throws SnapshotError `USAGE`, when applied, where a rule would change what it has made
 */
export function furtherRule<P extends Part>(
  context: NormalizeContext,
  part: P,
): ((subject: Subject<P>) => Subject<P>) | undefined {
  const compiled = (context.rules ?? []).flatMap(rule => {
    // What compiles a part is told apart by the part's name, which the compiler can't follow.
    const compile = rule[part] as
      ((context: NormalizeContext) => (subject: Subject<P>) => Subject<P>) | undefined
    if (compile === undefined) return []
    const named = { name: rule.name, part }
    return [settled(named, applicable(named, compile, context), applicable(named, compile, context))]
  })
  if (compiled.length === 0) return undefined
  return subject => compiled.reduce((current, apply) => apply(current), subject)
}

/** What an error says of a rule. */
interface NamedPart {
  readonly name: string
  readonly part: Part
}

/** A compiled part that names its rule where it throws, or gives something of another kind than it was given. */
function applicable<T>(
  named: NamedPart,
  compile: (context: NormalizeContext) => (subject: T) => T,
  context: NormalizeContext,
): (subject: T) => T {
  const apply: unknown = guarded(named, () => compile(context))
  if (typeof apply !== 'function') throw wrongPart(named, `gave ${kindOf(apply)} in place of a function`)
  return subject => {
    const result = guarded(named, () => (apply as (subject: T) => T)(subject))
    if (kindOf(result) === kindOf(subject)) return result
    throw wrongPart(named, `made ${kindOf(result)} of ${kindOf(subject)}`)
  }
}

function guarded<T>(named: NamedPart, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw wrongPart(named, `threw: ${String(cause)}`, cause)
  }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

function wrongPart({ name, part }: NamedPart, problem: string, cause?: unknown): SnapshotError {
  return new SnapshotError(
    'USAGE',
    `the normalisation rule ${JSON.stringify(name)}: its "${part}" ${problem}. It is a function of the context that gives a ` +
      `function of one ${part}: ${part}: () => ${part} => …`,
    { cause, details: { rule: name, part } },
  )
}

/** Checks as it goes: a second copy of the rule is given all that the first has made, and must leave it so. */
function settled<T>(
  { name }: NamedPart,
  first: (subject: T) => T,
  second: (subject: T) => T,
): (subject: T) => T {
  return subject => {
    const once = first(subject)
    const twice = second(once)
    if (!equalValues(once, twice)) throw unsettled(name, once, twice)
    return once
  }
}

function unsettled(name: string, once: unknown, twice: unknown): SnapshotError {
  const [was, is] = showPair(once, twice, 80)
  return new SnapshotError(
    'USAGE',
    `the normalisation rule ${JSON.stringify(name)} changes what it has made: from ${was} it makes ${is}. Applied twice it ` +
      'must give the same as once, since fixtures are normalised already: let it put a token that it does not match.',
    { details: { rule: name, once, twice } },
  )
}
