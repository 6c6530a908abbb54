// The agent without this library: imports the kernel, mounts a composition, and goes when its input ends.
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { Context } from '@deepseek-ai/cordis'
import Include from '@deepseek-ai/cordis-plugin-include'
import Loader from '@deepseek-ai/cordis-plugin-loader'

// The loader looks from its own place, where this package is not installed: nobody installs a package into itself.
registerHooks({
  resolve: (name, context, next) =>
    next(name, name.startsWith('acp-snapshot/') ? { ...context, parentURL: import.meta.url } : context),
})

const [file] = process.argv.slice(2)
const ctx = new Context()
ctx.baseUrl = pathToFileURL(path.dirname(path.resolve(file)) + path.sep).href
await ctx.plugin(Loader)
ctx.loader.builtins.include = Include
await ctx.loader.create({ name: 'cordis:include', config: { path: `./${path.basename(file)}` } })
await ctx.loader.await()
process.stdin.on('end', async () => {
  await ctx.fiber.dispose()
  process.exit(0)
})
