const BOM = /^\uFEFF/
/** A first line beyond this is no header. */
const LONGEST_HEADER = 2 ** 20

/** Whether a file with this first line is a session log, whatever it is called: it names its type and a version. */
export function isHeaderLine(line: string): boolean {
  if (line.length > LONGEST_HEADER) return false
  try {
    const value: unknown = JSON.parse(line.replace(BOM, ''))
    return (
      typeof value === 'object' &&
      value !== null &&
      'type' in value &&
      value.type === 'session' &&
      'version' in value
    )
  } catch {
    return false
  }
}
