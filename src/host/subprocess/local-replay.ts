import { loadSessionScripts, replayFiles } from '../../llm-replay/load-scripts.ts'
import { prepareReplay, type PreparedReplay } from '../../llm-replay/install.ts'
import { recordedRoutes } from '../../llm-replay/recorded-routes.ts'
import { replayModules } from '../../llm-replay/replay-modules.ts'
import type { ReplayConfig } from '../../llm-replay/config.ts'
import type { ServedModel } from './serve.ts'

/** Answers the model from the files that a composition's entry for the replay names, or the environment. */
export function localReplay(): ServedModel {
  let replay: PreparedReplay | undefined
  const prepare = (ctx: object, config: ReplayConfig): PreparedReplay => {
    const scripts = loadSessionScripts(replayFiles(config, process.env))
    return (replay = prepareReplay(ctx, { ...config, scripts, routes: recordedRoutes(scripts) }))
  }
  return {
    modules: replayModules(prepare),
    installOver: ctx => (replay ?? prepare(ctx, {})).settle(),
  }
}
