import type { Attachment } from './attach.ts'
import { Config, type ReplayConfig } from './config.ts'
import { inject, name } from './plugin-facts.ts'

/** Entry names that stand for the replay in a composition. */
const entryNames = ['acp-snapshot/llm-replay', '@deepseek-ai/dsh-llm-replay']

/**
 * What a composition's entries get in place of the replay they name.
 *
 * @param put - puts something of the host's own there; undefined where nothing is to answer
 */
export function replayModules(
  put: (ctx: object, config: ReplayConfig) => Attachment | undefined,
): Readonly<Record<string, unknown>> {
  const apply = (ctx: object, config: ReplayConfig): (() => void) | undefined => {
    const attachment = put(ctx, config)
    return attachment && (() => attachment.dispose())
  }
  return Object.fromEntries(entryNames.map(entry => [entry, { name, inject, Config, apply }]))
}
