import path from 'node:path'

import { counted } from '../counted.ts'
import { guards } from '../fixtures/guards/verify-fixtures.ts'
import { problemLine, type FixtureProblem } from '../fixtures/guards/problem.ts'
import { verifyTree } from '../fixtures/guards/verify-tree.ts'
import { printable, printableJson } from '../printable.ts'

/** What `verify` is called with. */
export interface VerifyCommand {
  readonly folders: readonly string[]
  readonly json: boolean
  readonly signal: AbortSignal | undefined
}

/** Looks through fixtures and prints what is wrong with them. Gives the exit code. */
export async function verifyCommand(
  { folders, json, signal }: VerifyCommand,
  print: (line: string) => void,
): Promise<number> {
  const scenarios = new Set<string>()
  const list: FixtureProblem[] = []
  const known = new Set<string>()
  for (const folder of folders) {
    const tree = await verifyTree(folder, guards)
    signal?.throwIfAborted()
    for (const scenario of tree.scenarios) scenarios.add(path.resolve(scenario))
    // One folder may be named twice, or lie in another.
    list.push(...tree.problems.filter(problem => !known.has(placeOf(problem))))
    for (const problem of tree.problems) known.add(placeOf(problem))
  }
  if (json) {
    const result = { ok: list.length === 0, scenarios: scenarios.size, problems: list }
    print(printableJson(JSON.stringify(result, null, 2)))
  } else {
    for (const problem of list) print(printable(problemLine(problem)))
    print(summary(list, [...scenarios]))
  }
  return list.length === 0 ? 0 : 1
}

function placeOf({ guard, file, line }: FixtureProblem): string {
  return JSON.stringify([path.resolve(file), line, guard])
}

function summary(problems: readonly FixtureProblem[], scenarios: readonly string[]): string {
  const all = counted(scenarios.length, 'scenario')
  if (problems.length === 0) return `${all}, no problems`
  const files = problems.map(({ file }) => path.resolve(file) + path.sep)
  const broken = scenarios.filter(scenario => files.some(file => file.startsWith(scenario + path.sep)))
  const found = counted(problems.length, 'problem')
  // What is wrong with a suite.json is in no scenario.
  return broken.length === 0 ? `${found} beside ${all}` : `${found} in ${broken.length} of ${all}`
}
