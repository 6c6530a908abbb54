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
    return compile === undefined ? [] : [settled(rule.name, compile(context), compile(context))]
  })
  if (compiled.length === 0) return undefined
  return subject => compiled.reduce((current, apply) => apply(current), subject)
}

/** Checks as it goes: a second copy of the rule is given all that the first has made, and must leave it so. */
function settled<T>(name: string, first: (subject: T) => T, second: (subject: T) => T): (subject: T) => T {
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
