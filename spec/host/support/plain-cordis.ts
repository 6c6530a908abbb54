import path from 'node:path'

import type { CompositionOptions } from '../../../src/host/composition/composition.ts'
import type { KernelEntry, KernelLoader } from '../../../src/host/composition/kernel.ts'
import { compositionFolder } from './composition-folder.ts'
import { startComposition, type RunOptions } from './start-run.ts'

/** A folder whose package.json asks for plain Cordis. */
export function plainFolder(files: Readonly<Record<string, string>>): string {
  return compositionFolder({ 'package.json': '{"dependencies":{"cordis":"4.0.0-rc.10"}}', ...files })
}

/** What these specs use of the kernel's context. */
export interface PlainContext {
  readonly baseUrl: string
  readonly loader: Omit<KernelLoader, 'entries'> & {
    entries(): Iterable<KernelEntry & { refresh(): Promise<void> }>
    remove(id: string): void
    update(id: string, options: object): Promise<void>
  }
  readonly fiber: { dispose(): unknown }
  readonly logger: { error(...args: unknown[]): void }
  effect(run: () => () => unknown): void
  plugin(plugin: unknown, config?: unknown): unknown
  provide(name: string, value: unknown): void
}

/** Plugins by their name without `spec:`, each telling when it starts, with what, and when it goes. */
export class Told {
  readonly started: string[] = []
  readonly configs: Record<string, unknown> = {}
  readonly gone: string[] = []

  plugin(name: string, more: object = {}, also: (ctx: PlainContext) => unknown = () => undefined): object {
    const apply = (ctx: PlainContext, config: unknown): unknown => {
      this.started.push(name)
      this.configs[name] = config
      ctx.effect(() => () => this.gone.push(name))
      return also(ctx)
    }
    return { name, apply, ...more }
  }

  plugins(...names: readonly string[]): Record<string, object> {
    return Object.fromEntries(names.map(name => [`spec:${name}`, this.plugin(name)]))
  }
}

/** Starts a composition on plain Cordis; the run ends with the test. */
export function startPlain(
  files: Readonly<Record<string, string>>,
  modules: CompositionOptions['modules'] = {},
  patches: CompositionOptions['patches'] = [],
  options: RunOptions = {},
): ReturnType<typeof startComposition> {
  const folder = plainFolder(files)
  return startComposition({ config: path.join(folder, 'cordis.yml'), modules, patches }, options)
}
