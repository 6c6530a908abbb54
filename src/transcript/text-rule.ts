/** A rule for strings, compiled: text in, text out. Applied again, it changes nothing. @public */
export type TextRule = (text: string) => string
