import { z } from 'zod'

import type { Composition } from '../composition/composition.ts'
import { pluginKeys, type PluginKey } from '../composition/plugin-shape.ts'

/** What a plugin of a composition exports, and what of it the Loader keeps. @public */
export interface PluginShape {
  /** Its name in the entry. */
  readonly entry: string
  /** Absolute path of the file that names it. */
  readonly file: string
  /** What its module exports by name. */
  readonly exports: readonly PluginKey[]
  /** What the plugin has that the Loader takes of the module; a function, such as a class, is its own `apply`. */
  readonly keeps: readonly PluginKey[]
}

/** A plugin that was looked at. */
export interface CheckedPlugin extends PluginShape {
  /** What is wrong with it, and what to do. */
  readonly problem?: string
}

/** All plugins of a composition, each once, in list order. */
export interface CheckedComposition {
  readonly ok: boolean
  /** Absolute path. */
  readonly file: string
  readonly plugins: readonly CheckedPlugin[]
}

const keys = z.array(z.enum(pluginKeys))

/** The document that `serve --check --json` prints. */
export const checkedComposition: z.ZodType<CheckedComposition> = z.object({
  ok: z.boolean(),
  file: z.string(),
  plugins: z.array(
    z.object({
      entry: z.string(),
      file: z.string(),
      exports: keys,
      keeps: keys,
      problem: z.string().exactOptional(),
    }),
  ),
})

/** What is to be looked at, where whoever has started the process has found it. */
export type FoundModules = Pick<Composition, 'file' | 'folderUrl' | 'imports'>

/** The content of the file that {@link foundVariable} names. */
export const foundModules: z.ZodType<FoundModules> = z.object({
  file: z.string(),
  folderUrl: z.string(),
  imports: z.array(z.object({ name: z.string(), from: z.string(), file: z.string() })),
})

/** Names the file with what is to be looked at. */
export const foundVariable = 'ACP_SNAPSHOT_CHECK'
