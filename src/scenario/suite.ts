import { z } from 'zod'
import { entryNameProblem } from './inner-path.ts'
import type { DocumentIssue } from './parse-document.ts'
import { documentError, formatPath, parseDocument } from './parse-document.ts'
import { anyPath, exactObject, integerFrom, listOf, recordOf, someText, textWithout } from './schema-parts.ts'

/** What a pin can own. @public */
export type PinKind = 'prompt' | 'tools'

/**
 * Where the expected request headers of a class come from: `true` is the scenario's own sidecar, a name is that of
 * another scenario, whose sidecar holds the same.
 *
 * @public
 */
export type ScenarioPin = Readonly<Record<PinKind, true | string>>

/** The numbers of the children that have sidecars of their own. @public */
export type ChildPins = Readonly<Partial<Record<PinKind, readonly number[]>>>

/** What is declared of one scenario. @public */
export interface SuiteScenario {
  /** Relative to the folder of `suite.json`. */
  readonly composition?: string
  readonly headerClass?: string
  readonly pin?: ScenarioPin
  readonly childPins?: ChildPins
  /** How often the request header changes within the run. */
  readonly headerChanges?: number
  /** Whether there is a `replay.override.json`. */
  readonly overridden?: boolean
  /** Whether the fixture was recorded, rather than written by hand. */
  readonly recorded?: boolean
  /** The folder that the generated cwd is made in. */
  readonly workspaceParent?: string
  readonly workspace?: 'disk' | 'memory'
}

/** A `suite.json`: what is declared of the scenario folders beside it. @public */
export interface Suite {
  /** Relative to the folder of `suite.json`. */
  readonly composition?: string
  /** By name, which is that of the folder. */
  readonly scenarios: Readonly<Record<string, SuiteScenario>>
}

const pinSource = z.union([z.literal(true), someText], { error: 'true or the name of a scenario' })

const children = listOf(
  integerFrom(1, "a child's number: an integer from 1"),
  'a list of child numbers, such as [1]',
)

const trueOrFalse = z.boolean({ error: 'true or false' })

const scenario: z.ZodType<SuiteScenario> = exactObject({
  composition: anyPath.exactOptional(),
  headerClass: someText.exactOptional(),
  pin: exactObject({ prompt: pinSource, tools: pinSource }).exactOptional(),
  childPins: exactObject({
    prompt: children.exactOptional(),
    tools: children.exactOptional(),
  }).exactOptional(),
  headerChanges: integerFrom(0, 'an integer from 0').exactOptional(),
  overridden: trueOrFalse.exactOptional(),
  recorded: trueOrFalse.exactOptional(),
  workspaceParent: anyPath.exactOptional(),
  workspace: z.enum(['disk', 'memory'], { error: '"disk" or "memory"' }).exactOptional(),
})

const schema: z.ZodType<Suite> = exactObject({
  composition: anyPath.exactOptional(),
  scenarios: recordOf(
    textWithout(entryNameProblem, 'the name of a folder beside suite.json'),
    scenario,
    'an object by scenario name',
  ),
})

/**
 * Parses a `suite.json`.
 *
 * @param text - the document
 * @param file - what it is called in messages, such as its path
 * @throws SnapshotError `SCENARIO_INVALID`, with file, line and column: not JSON, an unknown key, a value out of its
 * range, a scenario name that leaves the folder, or a pin whose source has no sidecar of its own
 * @public
 */
export function parseSuite(text: string, file: string): Suite {
  const suite = parseDocument(schema, text, file)
  const issues = pinIssues(suite)
  if (issues.length > 0) throw documentError(issues, text, file)
  return suite
}

/** Whether a suite says what request headers are pinned with: some scenario has a pin, or a class of its own. */
export function declaresClasses({ scenarios }: Suite): boolean {
  return Object.values(scenarios).some(
    ({ pin, headerClass }) => pin !== undefined || headerClass !== undefined,
  )
}

function pinIssues(suite: Suite): DocumentIssue[] {
  const owners = { prompt: pinOwners(suite, 'prompt'), tools: pinOwners(suite, 'tools') }
  return Object.entries(suite.scenarios).flatMap(([name, { pin }]) => {
    if (pin === undefined) return []
    return (['prompt', 'tools'] as const).flatMap(kind => {
      const source = pin[kind]
      if (source === true || owners[kind].has(source)) return []
      const path = ['scenarios', name, 'pin', kind]
      const known = [...owners[kind]].join(', ') || 'none in this file'
      const problem =
        `${formatPath(path)} names ${JSON.stringify(source)}, which has no pin with "${kind}": true; ` +
        `those that have: ${known}. Name one of them, or put true to keep a sidecar here.`
      return [{ path, problem }]
    })
  })
}

function pinOwners(suite: Suite, kind: PinKind): ReadonlySet<string> {
  const owning = Object.entries(suite.scenarios).filter(([, { pin }]) => pin?.[kind] === true)
  return new Set(owning.map(([name]) => name))
}
