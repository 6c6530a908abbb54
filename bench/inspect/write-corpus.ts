import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { generateScenario } from './generate-scenario.ts'

/**
 * Writes scenario folders, and a `suite.json` beside them.
 *
 * @returns the files of each folder, absolute
 */
export function writeCorpus(folder: string, count: number): string[][] {
  const scenarios: Record<string, object> = {}
  const folders = Array.from({ length: count }, (_, number) => {
    const name = `scenario-${String(number).padStart(4, '0')}`
    const files = Object.entries(generateScenario(number))
    const overridden = files.some(([file]) => file === 'replay.override.json')
    scenarios[name] = {
      ...(overridden ? { overridden } : {}),
      headerClass: number % 5 === 0 ? 'small' : 'default',
    }
    return files.map(([file, text]) => {
      const target = path.join(folder, name, file)
      mkdirSync(path.dirname(target), { recursive: true })
      writeFileSync(target, text)
      return target
    })
  })
  writeFileSync(path.join(folder, 'suite.json'), JSON.stringify({ scenarios }, null, 2))
  return folders
}
