// The agent without this library: imports the kernel, mounts a composition, and goes when its input ends.
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { Context } from '@deepseek-ai/cordis'
import Include from '@deepseek-ai/cordis-plugin-include'
import Loader from '@deepseek-ai/cordis-plugin-loader'

// The kernel looks from its own place, where this package is not: nobody installs a package into itself.
const found = tree =>
  class extends tree {
    import(name, ...rest) {
      return name.startsWith('acp-snapshot/') ? import(name) : super.import(name, ...rest)
    }
  }

const [file] = process.argv.slice(2)
const ctx = new Context()
ctx.baseUrl = pathToFileURL(path.dirname(path.resolve(file)) + path.sep).href
await ctx.plugin(found(Loader))
ctx.loader.builtins.include = found(Include)
await ctx.loader.create({ name: 'cordis:include', config: { path: `./${path.basename(file)}` } })
await ctx.loader.await()
process.stdin.on('end', async () => {
  await ctx.fiber.dispose()
  process.exit(0)
})
