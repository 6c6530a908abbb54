import { SnapshotError } from '../errors.ts'
import { positionAt } from './json-position.ts'
import { scanJson } from './json-scan.ts'

/**
 * Parses strict JSON.
 *
 * @param file - what the text is called in messages
 * @throws SnapshotError `SCENARIO_INVALID` with file, line and column: not JSON, a key given twice, or a `__proto__` key
 */
export function parseJson(text: string, file: string): unknown {
  const flaw = scanJson(text)
  if (flaw === undefined) return JSON.parse(text)
  const { line, column } = positionAt(text, flaw.offset)
  throw new SnapshotError(
    'SCENARIO_INVALID',
    `${file}:${line}:${column}: not valid JSON: ${flaw.problem}. ` +
      'Correct it there; JSON has no comments and no comma after a last item.',
    { details: { file, line, column } },
  )
}
