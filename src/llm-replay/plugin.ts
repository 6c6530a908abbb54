import { processChannel } from '../channel/process-channel.ts'
import { relayEvents, relayModel } from '../channel/relay.ts'
import { Config, type ReplayConfig } from './config.ts'
import { prepareReplay } from './install.ts'
import { inject, name } from './plugin-facts.ts'

export { Config, inject, name }

interface LoadedContext {
  get?(service: 'loader'): { await?(): Promise<unknown> } | undefined
}

/**
 * Installs the replay for as long as the plugin is mounted. It answers at once; under a Loader, every other listener
 * sees the calls first from when all entries have started, wherever in the list the plugin stands.
 *
 * In a process that a run has started, the run at the other end of the channel answers instead.
 *
 * @public
 */
export const apply = (ctx: object, config: ReplayConfig): (() => void) => {
  // An arrow, since a kernel calls a `function` with `new` and so loses what it returns.
  const channel = processChannel()
  if (channel !== undefined) relayEvents(ctx, channel)
  const replay = channel === undefined ? prepareReplay(ctx, config) : relayModel(ctx, channel, config)
  const started = (ctx as LoadedContext).get?.('loader')?.await?.()
  if (started === undefined) replay.settle()
  else void started.then(() => replay.settle())
  return () => replay.dispose()
}
