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
