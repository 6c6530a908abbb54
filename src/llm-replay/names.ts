const LOG_NAME = /(?:^|[/\\])session(?:\.([1-9]\d*))?\.jsonl$/

/** 0 for `session.jsonl`, n for `session.<n>.jsonl`, wherever it lies; undefined for any other name. */
export function scriptNumberOf(file: string): number | undefined {
  const match = LOG_NAME.exec(file)
  return match === null ? undefined : Number(match[1] ?? 0)
}

/** The override file that belongs to the script of that number. */
export function overrideFileOf(number: number): string {
  return number === 0 ? 'replay.override.json' : `replay.override.${number}.json`
}
