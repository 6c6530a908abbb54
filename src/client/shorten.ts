/**
 * A text as a message shows it: quoted as JSON, cut to `limit` characters.
 *
 * @param limit - how many characters (UTF-16 units) of the text are shown before the cut
 */
export function quote(text: string, limit = 120): string {
  return text.length <= limit
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, limit))}… (${text.length} characters)`
}

/** What is known of something thrown, as an Error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
