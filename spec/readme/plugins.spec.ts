import { it } from 'vitest'
import { checkPlugins } from 'acp-snapshot'

it('keeps name, inject, Config and apply of every plugin', async () => {
  await checkPlugins({ composition: './fixtures/compositions/dsh/cordis.yml' })
})
