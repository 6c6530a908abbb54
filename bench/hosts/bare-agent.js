// The agent without this library: imports the kernel, mounts a composition, and goes when its input ends.
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { Context } from '@deepseek-ai/cordis'
import Include from '@deepseek-ai/cordis-plugin-include'
import Loader from '@deepseek-ai/cordis-plugin-loader'

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
