import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, describe, expect, it, vi } from 'vitest'

import { runScenario, type RunScenarioOptions } from '../../src/index.ts'
import { answers, bash, prompts } from '../support/model-answers.ts'
import { dshComposition } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'

const scenario = {
  name: 'busy',
  steps: prompts('Make a file.'),
  workspace: { 'given.txt': 'x\n' },
  // Long enough for the output to go to a file of its own.
  replay: [answers(bash('echo made > made.txt; seq 1 40000')), answers({ text: 'Done.' })],
}

const breaks: RunScenarioOptions = {
  scenario,
  composition: {
    config: dshComposition,
    patches: [{ insert: [{ name: 'spec:broken' }] }],
    modules: { 'spec:broken': { name: 'broken', apply: () => Promise.reject(new Error('no')) } },
  },
}

/** Folders and what is in them, files by their content. */
function picture(folders: readonly string[]): unknown {
  return folders.map(folder =>
    readdirSync(folder, { withFileTypes: true })
      .map(entry => [
        entry.name,
        entry.isFile() ? readFileSync(path.join(folder, entry.name), 'utf8') : 'folder',
      ])
      .toSorted(),
  )
}

describe('after a run', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('the temporary folder, home and the composition are as they were, also when the run fails', async () => {
    // A temporary folder and a home of this test alone: other tests use the real ones at the same time.
    vi.stubEnv('TMPDIR', tempFolder({ 'other.txt': 'kept\n' }))
    vi.stubEnv('HOME', tempFolder({ '.profile': 'kept\n' }))
    const folders = [tmpdir(), homedir(), path.dirname(dshComposition)]
    const before = picture(folders)

    const { workspace, transcript } = await runScenario({ scenario, composition: dshComposition })
    expect(workspace.get('made.txt')?.toString()).toBe('made\n')
    const cwd = transcript.sessions[0]?.raw.header.cwd ?? ''
    expect(cwd.startsWith(tmpdir())).toBe(true)
    expect(existsSync(path.dirname(cwd))).toBe(false)
    expect(picture(folders)).toEqual(before)

    await expect(runScenario(breaks)).rejects.toThrow('spec:broken')
    await expect(
      runScenario({ scenario: { ...scenario, replay: [] }, composition: dshComposition }),
    ).rejects.toThrow('model call 0')
    await expect(
      runScenario({
        scenario: { ...scenario, replay: [{ kind: 'hang' }] },
        composition: dshComposition,
        timeouts: { prompt: 100 },
      }),
    ).rejects.toThrow('session/prompt')
    expect(picture(folders)).toEqual(before)

    // What a plugin has kept the path of works after the folder was gone.
    const again = await runScenario({ scenario, composition: dshComposition })
    expect(again.transcript.sessions[0]?.text).toBe(transcript.sessions[0]?.text)
    expect(again.transcript.sessions[0]?.text).toContain('{{spillLocator:')
    expect(picture(folders)).toEqual(before)
  })
})
