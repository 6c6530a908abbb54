import { Config, type ReplayConfig } from './config.ts'
import { prepareReplay } from './install.ts'

/** The plugin's name in the kernel. @public */
export const name = 'llm-replay'

/** The services that the plugin asks for. @public */
export const inject: readonly string[] = ['llm']

export { Config }

interface InjectingContext {
  get?(service: string): unknown
  inject?(services: Readonly<Record<string, unknown>>, callback: (ctx: object) => void): unknown
}

/**
 * Installs the replay for as long as the plugin is mounted. Under a Loader it listens once all entries have started, so
 * that every other listener sees the calls first, wherever in the list the plugin stands.
 *
 * @public
 */
export function apply(ctx: object, config: ReplayConfig): () => void {
  const replay = prepareReplay(ctx, config)
  const context = ctx as InjectingContext
  if (context.get?.('loader') === undefined || context.inject === undefined) replay.listen(ctx)
  else context.inject({ llm: null, loader: { await: true } }, settled => replay.listen(settled))
  return () => replay.dispose()
}
