import { z } from 'zod'

import { SnapshotError } from './errors.ts'
import type { InlineScenario, Scenario } from './fixtures/index.ts'
import type { CompositionOptions } from './host/composition/composition.ts'
import { normalizationRules, type NormalizationRule } from './transcript/index.ts'

/**
 * A command that starts an agent, which speaks ACP over standard input and output.
 *
 * It gets the variables of a snapshot run (`DSH_SNAPSHOT` and its like) in an environment that has nothing else of the
 * developer's, and the run's working directory as its own. Where its composition mounts `acp-snapshot/llm-replay`, the run
 * answers its model calls, compares and counts them; else it has to replay the recording by itself.
 *
 * @public
 */
export interface AgentHost {
  /** A program in PATH, or its path. */
  readonly command: string
  /** Paths in them have to be absolute. */
  readonly args?: readonly string[]
  /** Values of its environment beside those of a run. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * Whether the command mounts `acp-snapshot/llm-replay`, as it should (`required`, the default). With `none`, the model
   * calls of the agent are not seen: their comparison is left out of the report, which says so.
   */
  readonly channel?: 'required' | 'none'
}

/**
 * What {@link runScenario} takes.
 *
 * @public
 */
export interface RunScenarioOptions {
  /** A scenario's folder, one that was loaded, or an object with its parts. */
  readonly scenario: string | Scenario | InlineScenario
  /** Path of the composition, or more about it; found from the scenario's folder where absent. */
  readonly composition?: string | CompositionOptions
  /** `replay` (the default) answers model calls from the recording; `record` lets them reach the provider. */
  readonly mode?: 'replay' | 'record'
  /**
   * Where the agent lives: in this process (the default), in one of its own that mounts the composition on the real disk
   * (`acp-snapshot serve`), or in one that a command of yours starts.
   */
  readonly host?: 'in-process' | 'subprocess' | AgentHost
  /** Which disk the working directory is on; `disk` by default, or what `suite.json` says. */
  readonly workspace?: 'disk' | 'memory'
  /** Values of the agent's environment beside the fixed ones. */
  readonly env?: Readonly<Record<string, string>>
  /** Pause before each replayed chunk, ms; 0 by default. */
  readonly paceMs?: number
  /**
   * What becomes of a request that differs from its recording: `error` (the default) ends the run with it, `report` lets
   * the run go on, and it is a difference to `compareRun`.
   */
  readonly drift?: 'error' | 'report'
  /**
   * Further rules of normalisation, after the built-in ones: for what else differs from run to run. They count for the
   * run and for the fixtures that it is compared with.
   */
  readonly rules?: readonly NormalizationRule[]
  /** Ends the run; its reason is thrown. */
  readonly signal?: AbortSignal
  /** Deadlines in ms. */
  readonly timeouts?: {
    /** For the composition to become active; 30000 by default. */
    readonly mount?: number
    /** For an answer to a request of the script; 30000 by default. */
    readonly prompt?: number
    /** For the composition to be disposed; 15000 by default. */
    readonly dispose?: number
  }
}

const milliseconds = z
  .int()
  .positive()
  .max(2 ** 31 - 1)

const inlineSchema = z.strictObject({
  name: z.string().min(1).optional(),
  // What is in these is checked by the parsers of the files that they stand for.
  steps: z.array(z.unknown()),
  permissionAnswers: z.array(z.unknown()).optional(),
  replay: z
    .union([z.array(z.unknown()), z.looseObject({})], 'expected an array of entries, or {"patches":[…]}')
    .optional(),
  children: z
    .array(
      z.strictObject({
        label: z.string().optional(),
        prompt: z.string().optional(),
        replay: z.array(z.unknown()),
      }),
    )
    .optional(),
  sessions: z.array(z.string()).min(1).optional(),
  stdout: z.string().optional(),
  facts: z.looseObject({}).optional(),
  workspace: z.record(z.string(), z.string()).optional(),
})

/** What `loadScenario()` gives, as far as a caller might get it wrong. */
const loadedSchema = z.looseObject({
  name: z.string(),
  input: z.looseObject({ steps: z.array(z.unknown()), permissionAnswers: z.array(z.unknown()) }),
  sessions: z.array(z.looseObject({ name: z.string(), log: z.looseObject({}) })),
  settings: z.looseObject({}),
})

/** A composition as a caller names it, by more than its path. */
export const compositionSchema = z.strictObject({
  config: z.string().min(1),
  overlay: z.union([z.string().min(1), z.literal(false)]).optional(),
  patches: z
    .array(z.looseObject({ id: z.string().optional(), insert: z.array(z.looseObject({})).optional() }))
    .optional(),
  modules: z.record(z.string(), z.unknown()).optional(),
})

const part = z.custom<unknown>(value => typeof value === 'function', 'expected a function').optional()

/** Rules that are told apart by their names, in explanations. */
const rulesSchema = z
  .array(
    z.strictObject({
      name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'expected words in lower case, joined by hyphens'),
      why: z.string().min(1),
      text: part,
      event: part,
      header: part,
      frame: part,
    }),
  )
  .superRefine((rules, context) => {
    const taken = new Set(normalizationRules.map(({ name }) => name))
    for (const [index, { name }] of rules.entries()) {
      if (taken.has(name))
        context.addIssue({ code: 'custom', path: [index, 'name'], message: `"${name}" is taken` })
      taken.add(name)
    }
  })

const agentHostSchema = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  channel: z.enum(['required', 'none']).optional(),
})

const optionsSchema = z.strictObject({
  scenario: z.unknown().superRefine((value, context) => {
    if (typeof value === 'string' && value !== '') return
    const isLoaded = typeof value === 'object' && value !== null && 'input' in value
    const schema = isLoaded ? loadedSchema : inlineSchema
    for (const { path, message } of schema.safeParse(value).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: [...path], message })
    }
  }),
  composition: z
    .unknown()
    .superRefine((value, context) => {
      if (typeof value === 'string' && value !== '') return
      for (const { path, message } of compositionSchema.safeParse(value).error?.issues ?? []) {
        context.addIssue({ code: 'custom', path: [...path], message })
      }
    })
    .optional(),
  mode: z.enum(['replay', 'record']).optional(),
  host: z
    .union(
      [z.enum(['in-process', 'subprocess']), agentHostSchema],
      'expected "in-process", "subprocess" or {"command":…}',
    )
    .optional(),
  workspace: z.enum(['disk', 'memory']).optional(),
  env: z.record(z.string(), z.string()).optional(),
  paceMs: z
    .int()
    .nonnegative()
    .max(2 ** 31 - 1)
    .optional(),
  drift: z.enum(['error', 'report']).optional(),
  rules: rulesSchema.optional(),
  signal: z.instanceof(AbortSignal).optional(),
  timeouts: z
    .strictObject({
      mount: milliseconds.optional(),
      prompt: milliseconds.optional(),
      dispose: milliseconds.optional(),
    })
    .optional(),
})

/**
 * Checks options whose types nothing else may have checked.
 *
 * @param caller - the function that was given them, for the message
 * @throws SnapshotError with code `USAGE`, naming each option that is wrong
 */
export function checkRunOptions(options: RunScenarioOptions, caller = 'runScenario'): void {
  const result = optionsSchema.safeParse(options)
  if (result.success) return
  const problems = result.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  )
  throw new SnapshotError('USAGE', `${caller} was given wrong options. ${problems.join('; ')}.`, {
    details: { problems },
  })
}
