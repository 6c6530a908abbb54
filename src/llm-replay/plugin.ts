import { Config, type ReplayConfig } from './config.ts'
import { prepareReplay } from './install.ts'

/** The plugin's name in the kernel. @public */
export const name = 'llm-replay'

/** The services that the plugin asks for. @public */
export const inject: readonly string[] = ['llm']

export { Config }

interface LoadedContext {
  get?(service: 'loader'): { await?(): Promise<unknown> } | undefined
}

/**
 * Installs the replay for as long as the plugin is mounted. It answers at once; under a Loader, every other listener
 * sees the calls first from when all entries have started, wherever in the list the plugin stands.
 *
 * @public
 */
export const apply = (ctx: object, config: ReplayConfig): (() => void) => {
  // An arrow, since a kernel calls a `function` with `new` and so loses what it returns.
  const replay = prepareReplay(ctx, config)
  const started = (ctx as LoadedContext).get?.('loader')?.await?.()
  if (started === undefined) replay.settle()
  else void started.then(() => replay.settle())
  return () => replay.dispose()
}
