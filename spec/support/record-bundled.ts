import { existsSync } from 'node:fs'
import path from 'node:path'

import { recordCommand } from '../../src/cli/record-command.ts'
import { selectScenarios } from '../../src/cli/select-scenarios.ts'
import { pinsFirst } from '../../src/fixtures/pins-first.ts'
import { readAnswers } from './model-server/model-answers-file.ts'
import { startModelServer } from './model-server/start-model-server.ts'
import { bundledScenarios, root } from './paths.ts'

// Records the bundled scenarios anew, each against a model of its own that gives the answers in fixtures/model-answers.
// Arguments are names of scenarios; without any it records all that have answers.

const key = 'local-model-key'
let failed = 0
for (const folder of await pinsFirst(await selectScenarios([bundledScenarios, ...process.argv.slice(2)]))) {
  const file = path.join(root, 'fixtures/model-answers', `${path.basename(folder)}.json`)
  if (!existsSync(file)) {
    console.log(`skip ${path.basename(folder)}  no model-answers`)
    continue
  }
  await using server = await startModelServer(readAnswers(file).answers, { key })
  process.env.DEEPSEEK_API_KEY = key
  process.env.DEEPSEEK_BASE_URL = server.url
  const lines: string[] = []
  const code = await recordCommand(
    { scenarios: [folder], json: false, signal: undefined },
    line => void lines.push(line),
  )
  console.log(lines.slice(0, -1).join('\n'))
  for (const { messages } of server.unanswered) {
    console.log(`     no answer fits the request that ends with: ${messages.at(-1)?.text.slice(0, 200)}`)
  }
  if (server.left().length > 0) console.log(`     answers left: ${JSON.stringify(server.left())}`)
  if (code !== 0 || server.unanswered.length > 0 || server.left().length > 0) failed += 1
}
process.exit(failed === 0 ? 0 : 1)
