/**
 * The replay as a Cordis plugin, for a composition that names `acp-snapshot/llm-replay`, and the functions it is made
 * of. No default export: the Loader would take it in the place of these names and lose `inject`.
 *
 * @packageDocumentation
 */
export { apply, Config, inject, name } from './plugin.ts'
export * from './public.ts'
