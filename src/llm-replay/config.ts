import { z } from 'zod'
import { LONGEST_DELAY_MS, milliseconds } from './entry-schema.ts'
import { describe } from './problem.ts'
import { retryDefaults } from './retry-policy.ts'
import { allow, exactObject } from './zod-problems.ts'

/**
 * A model in a replay provider's catalogue.
 *
 * @public
 */
export interface ReplayModelConfig {
  readonly id: string
  /** Default: the id. */
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Tokens of request and response together. */
  readonly contextWindow?: number | undefined
  /** Tokens of a response where the caller sets no limit. */
  readonly maxTokens?: number | undefined
  /** `text`, `image`, …; absent means unknown. */
  readonly inputModalities?: readonly string[] | undefined
  readonly reasoning?:
    | {
        readonly efforts: readonly {
          readonly id: string
          readonly name: string
          readonly description?: string | undefined
        }[]
        readonly defaultEffort?: string | undefined
      }
    | undefined
}

/**
 * How often and when a failed call is tried again; the harness fills in what is absent.
 *
 * @public
 */
export interface ReplayRetryPolicyConfig {
  readonly mode: 'normal' | 'always'
  readonly maxRetries?: number | undefined
  readonly retryableCodes?: readonly string[] | undefined
  /** Delays in ms; the jitter is a ratio from 0 to 1. */
  readonly backoff?:
    | {
        readonly initialDelayMs?: number | undefined
        readonly maxDelayMs?: number | undefined
        readonly jitterRatio?: number | undefined
      }
    | undefined
}

/**
 * A provider route that the replay serves.
 *
 * @public
 */
export interface ReplayProviderConfig {
  readonly id: string
  /** Default: the id. */
  readonly name?: string | undefined
  readonly retryPolicy?: ReplayRetryPolicyConfig | undefined
  readonly models: readonly ReplayModelConfig[]
}

/**
 * The replay plugin's config. A key whose value is undefined counts as absent, since YAML expressions give such values.
 *
 * @public
 */
export interface ReplayConfig {
  /** The primary session's log. */
  readonly file?: string | undefined
  /** The primary session's override. A file that is named must exist. */
  readonly overrideFile?: string | undefined
  /** The logs of child sessions. */
  readonly childFiles?: readonly string[] | undefined
  /** With providers, an adapter is registered for their routes; without, every call is answered. */
  readonly providers?: readonly ReplayProviderConfig[] | undefined
  /** Pause before each chunk, ms; default 0. */
  readonly paceMs?: number | undefined
  /** Whether a request that differs from its recording is an error (the default) or is only told of. */
  readonly drift?: 'error' | 'report' | undefined
}

const filled = z.string(allow('a non-empty string')).min(1, allow('a non-empty string'))

function number(accepts: (value: number) => boolean, allowed: string): z.ZodType<number> {
  return z.custom<number>(value => typeof value === 'number' && accepts(value), allow(allowed))
}

const tokens = number(value => Number.isSafeInteger(value) && value > 0, 'a whole number of tokens above 0')
const count = number(value => Number.isSafeInteger(value) && value >= 0, 'a whole number, 0 or more')
const delay = number(
  value => value > 0 && value <= LONGEST_DELAY_MS,
  `a number of milliseconds above 0, up to ${LONGEST_DELAY_MS}`,
)
const ratio = number(value => value >= 0 && value <= 1, 'a number from 0 to 1')

/** Elements with an id of their own, which no two share. */
function catalogue<T extends { readonly id: string }>(
  element: z.ZodType<T>,
  allowed: string,
): z.ZodType<readonly T[]> {
  return z.array(element, allow(allowed)).superRefine((list, context) => {
    const seen = new Set<string>()
    for (const [index, { id }] of list.entries()) {
      if (seen.has(id)) {
        const message = `found "${id}" again; allowed: an id once`
        context.addIssue({ code: 'custom', path: [index, 'id'], message })
      }
      seen.add(id)
    }
  })
}

const effort = exactObject({ id: filled, name: filled, description: filled.optional() })

const model = exactObject({
  id: filled,
  name: filled.optional(),
  description: filled.optional(),
  contextWindow: tokens.optional(),
  maxTokens: tokens.optional(),
  inputModalities: z.array(filled, allow('an array of modalities such as "text"')).optional(),
  reasoning: exactObject({
    efforts: catalogue(effort, 'an array of {id, name}').refine(
      efforts => efforts.length > 0,
      allow('an array of {id, name}, at least one'),
    ),
    defaultEffort: filled.optional(),
  })
    .superRefine(({ efforts, defaultEffort }, context) => {
      const ids = efforts.map(({ id }) => id)
      if (defaultEffort === undefined || ids.includes(defaultEffort)) return
      const message = `found ${describe(defaultEffort)}; allowed: the id of an effort: ${ids.join(', ')}`
      context.addIssue({ code: 'custom', path: ['defaultEffort'], message })
    })
    .optional(),
})

const backoff = exactObject({
  initialDelayMs: delay.optional(),
  maxDelayMs: delay.optional(),
  jitterRatio: ratio.optional(),
}).superRefine((given, context) => {
  const { initialDelayMs = retryDefaults.initialDelayMs, maxDelayMs = retryDefaults.maxDelayMs } = given
  if (initialDelayMs <= maxDelayMs) return
  const message = `found ${initialDelayMs}; allowed: no more than maxDelayMs, which is ${maxDelayMs}`
  context.addIssue({ code: 'custom', path: ['initialDelayMs'], message })
})

const codes = 'an array of codes, at least one, each once'

const retryPolicy = exactObject({
  mode: z.enum(['normal', 'always'], allow('"normal" or "always"')),
  maxRetries: count.optional(),
  retryableCodes: z
    .array(filled, allow(codes))
    .refine(list => list.length > 0 && new Set(list).size === list.length, allow(codes))
    .optional(),
  backoff: backoff.optional(),
})

const provider = exactObject({
  id: filled,
  name: filled.optional(),
  retryPolicy: retryPolicy.optional(),
  models: catalogue(model, 'an array of {id, …}'),
})

/**
 * What {@link (Config:variable)} makes of a config, as the kernel hands it to the plugin.
 *
 * @public
 */
export type Config = ReplayConfig

/**
 * Checks the replay plugin's config: exact keys. An entry without `config:` arrives as undefined and stands for `{}`.
 *
 * @public
 */
export const Config: z.ZodType<ReplayConfig> = exactObject({
  file: filled.optional(),
  overrideFile: filled.optional(),
  childFiles: z.array(filled, allow('an array of file names')).optional(),
  providers: catalogue(provider, 'an array of {id, models, …}').optional(),
  paceMs: milliseconds.optional(),
  drift: z.enum(['error', 'report'], allow('"error" or "report"')).optional(),
}).prefault({})
