import type { JsExpression } from './entries.ts'
import type { KernelContext, KernelEntry, KernelFiber, Reconfigure } from './kernel.ts'

/** Where the kernel mounts a plugin. */
interface Registry {
  readonly plugin: (this: Registry, plugin: unknown, config: unknown, ...rest: unknown[]) => KernelFiber
}

/** A row as this loader holds it. */
interface PlainEntry extends KernelEntry {
  readonly options: KernelEntry['options'] & { readonly disabled?: unknown }
  readonly parent: { readonly ctx: { readonly fiber: { readonly entry?: PlainEntry } } }
  evaluate(expression: string): unknown
}

/** Gives a bare context of plain Cordis what the host relies on and the other kernel has of itself. */
export function adaptContext(ctx: KernelContext, reconfigure: Reconfigure): void {
  wrapMounting(ctx, reconfigure)
  ctx.on('loader/entry-init', switchByExpression, { global: true })
  // Here the loader reports what failed to an event that nobody listens to.
  ctx.on('internal/error', (error: unknown) => ctx.logger.error(error), { global: true })
}

/** Every plugin is mounted by this one method; no event tells of a configuration before its schema has checked it. */
function wrapMounting(ctx: KernelContext, reconfigure: Reconfigure): void {
  const registry = (ctx as KernelContext & { readonly registry: Registry }).registry
  const { plugin: mountPlugin } = registry
  const value: Registry['plugin'] = function (plugin, config, ...rest) {
    const name = nameOf(plugin)
    const changed = name === undefined ? config : reconfigure(name, config)
    return withHandledEnd(mountPlugin.call(this, plugin, changed, ...rest))
  }
  Object.defineProperty(registry, 'plugin', { value })
}

/** The loader waits for the end of a start by `finally`, and lets nobody handle that the start has failed. */
function withHandledEnd(fiber: KernelFiber): KernelFiber {
  const wait = fiber.await.bind(fiber)
  const value: KernelFiber['await'] = () => {
    const started = wait()
    const ended = (then: () => void): Promise<unknown> => started.then(then, then)
    return Object.defineProperty(started, 'finally', { value: ended })
  }
  return Object.defineProperty(fiber, 'await', { value })
}

/** A function that is only called apply says nothing of its plugin. */
function nameOf(plugin: unknown): string | undefined {
  const { name } = Object(plugin) as { readonly name?: unknown }
  return typeof name === 'string' && name !== 'apply' ? name : undefined
}

/** This loader takes an expression for a value, which is true: what it says is asked here, each time. */
function switchByExpression(entry: PlainEntry): void {
  Object.defineProperty(entry, 'disabled', { get: () => isDisabled(entry) })
}

function isDisabled(entry: PlainEntry): boolean {
  // A group itself stays: what is in it looks at its switch.
  if (entry.options.group) return false
  for (let at: PlainEntry | undefined = entry; at !== undefined; at = at.parent.ctx.fiber.entry) {
    const { disabled } = at.options
    if (isExpression(disabled) ? Boolean(at.evaluate(disabled.__jsExpr)) : Boolean(disabled)) return true
  }
  return false
}

function isExpression(value: unknown): value is JsExpression {
  return typeof value === 'object' && value !== null && '__jsExpr' in value
}
