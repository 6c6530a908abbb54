const WIDTH = 120

/** What a terminal would obey, or not show where it stands: control characters, and those that turn lines or their order. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** The text with everything that a terminal would obey as its escape in JSON, which says the same in a string of JSON. */
export function printable(text: string): string {
  return text.replace(unprintable, escapeOf)
}

/** The same for a JSON document, whose line ends are its layout. */
export function printableJson(text: string): string {
  return text.replace(unprintable, found => (found === '\n' ? found : escapeOf(found)))
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** One line of at most 120 characters that can be printed. */
export function fit(text: string): string {
  const line = printable(text.slice(0, 2 * WIDTH)).trimEnd()
  return line.length <= WIDTH && text.length <= 2 * WIDTH ? line : `${cut(line, WIDTH - 1)}…`
}

/** A text as JSON, or the beginning of it; a long one in little more than `length` characters. */
export function quoted(text: string, length = 100): string {
  return text.length <= length ? JSON.stringify(text) : `${JSON.stringify(cut(text, length))}…`
}

/** The first characters; one that takes two units is not halved. */
function cut(text: string, length: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length
  return text.slice(0, end)
}
