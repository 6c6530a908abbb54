import { Config, type ReplayConfig } from './config.ts'
import { installLlmReplay } from './install.ts'

/** The plugin's name in the kernel. @public */
export const name = 'llm-replay'

/** The services that the plugin asks for. @public */
export const inject: readonly string[] = ['llm']

export { Config }

/** Installs the replay for as long as the plugin is mounted. @public */
export function apply(ctx: object, config: ReplayConfig): () => void {
  const handle = installLlmReplay(ctx, config)
  return () => handle.dispose()
}
