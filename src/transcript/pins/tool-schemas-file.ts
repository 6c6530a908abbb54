import { z } from 'zod'
import { parseDocument } from '../../scenario/parse-document.ts'
import { exactObject, listOf } from '../../scenario/schema-parts.ts'
import type { ToolList } from './header-sequence.ts'
import { nothingToPin } from './nothing-to-pin.ts'

interface ToolSchemasFile {
  readonly initial: ToolList
  readonly changes: readonly ToolList[]
}

const toolList = listOf(z.json(), 'a list of tool schemas')

const schema: z.ZodType<ToolSchemasFile> = exactObject({
  initial: toolList,
  changes: listOf(toolList, 'a list with a list of tool schemas for each change'),
})

/**
 * Writes the tools of a session as its `tool-schemas.expected.json` holds them: the first list, then that of each change.
 *
 * @throws SnapshotError `SCENARIO_INVALID` where there is no list
 */
export function formatToolSchemas(schemas: readonly ToolList[]): string {
  const [initial, ...changes] = schemas
  if (initial === undefined) throw nothingToPin('tools')
  return `${JSON.stringify({ initial, changes } satisfies ToolSchemasFile, null, 2)}\n`
}

/**
 * Reads a `tool-schemas.expected.json`: the first list, then that of each change.
 *
 * @param file - what the text is called in messages
 * @throws SnapshotError `SCENARIO_INVALID` with file, line and column: not JSON, a `__proto__` key, or another shape
 */
export function parseToolSchemas(text: string, file: string): ToolList[] {
  const { initial, changes } = parseDocument(schema, text, file)
  return [initial, ...changes]
}
