/** One rule of the normalisation, compiled: text in, text out. Applied again, it changes nothing. */
export type TextRule = (text: string) => string
