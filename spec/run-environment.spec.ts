import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inlineScenario, type Scenario } from '../src/fixtures/index.ts'
import { makeRunFolders, removeRunFolders } from '../src/host/folders/run-folders.ts'
import { runEnvironmentValues } from '../src/run-environment.ts'

const log = '{"type":"session","version":0,"id":"a","createdAt":0,"delegationDepth":0}\n'

/** A scenario as if it had been read from a folder. */
function scenarioOf(parts: { sessions?: string[]; replay?: []; folder?: string }): Scenario {
  const { folder, ...inline } = parts
  return { ...inlineScenario({ steps: [], ...inline }), ...(folder === undefined ? {} : { folder }) }
}

async function values(scenario: Scenario, mode: 'replay' | 'record' = 'replay', extra = {}) {
  const folders = await makeRunFolders('environment', { kind: 'memory' })
  onTestFinished(() => removeRunFolders(folders))
  return { folders, env: runEnvironmentValues({ mode, scenario, folders, extra }) }
}

describe('runEnvironmentValues', () => {
  it("names the mode, the recording's files and the run's own folders", async () => {
    const scenario = scenarioOf({ sessions: [log, log, log], replay: [], folder: '/scenarios/x' })
    const { folders, env } = await values(scenario)
    expect(env).toEqual({
      DSH_SNAPSHOT: 'replay',
      DSH_SNAPSHOT_FILE: '/scenarios/x/session.jsonl',
      DSH_SNAPSHOT_OVERRIDE: '/scenarios/x/replay.override.json',
      DSH_SNAPSHOT_CHILD_FILES: `/scenarios/x/session.1.jsonl${path.delimiter}/scenarios/x/session.2.jsonl`,
      DSH_SNAPSHOT_SESSIONS_ROOT: folders.sessions,
      DSH_SNAPSHOT_SPILL_ROOT: folders.spill,
      DSH_HOME: path.join(folders.cwd, '.dsh'),
      DSH_AGENTS_HOME: path.join(folders.cwd, '.agents'),
    })
  })

  const always = [
    'DSH_AGENTS_HOME',
    'DSH_HOME',
    'DSH_SNAPSHOT',
    'DSH_SNAPSHOT_SESSIONS_ROOT',
    'DSH_SNAPSHOT_SPILL_ROOT',
  ]

  it.each([
    ['one session and no override', scenarioOf({ folder: '/x' }), [...always, 'DSH_SNAPSHOT_FILE']],
    ['no recording yet', { ...scenarioOf({ folder: '/x' }), sessions: [] }, always],
    ['no files at all', scenarioOf({ sessions: [log, log], replay: [] }), always],
  ])('names no file that is not there: %s', async (_what, scenario, names) => {
    const { env } = await values(scenario, 'record')
    expect(Object.keys(env).toSorted()).toEqual(names.toSorted())
    expect(env.DSH_SNAPSHOT).toBe('record')
  })

  it('lets the caller have the last word', async () => {
    const { env } = await values(scenarioOf({}), 'replay', { DSH_HOME: '/mine', MORE: '1' })
    expect(env).toMatchObject({ DSH_HOME: '/mine', MORE: '1' })
  })
})
