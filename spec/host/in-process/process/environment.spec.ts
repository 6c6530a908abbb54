import { writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { env } from 'node:process'

import { afterEach, describe, expect, it } from 'vitest'

import { startRun } from '../../support/start-run.ts'

const withVariables = () => startRun({ env: () => ({ OWN: 'yes', DSH_SNAPSHOT: 'replay' }) })

afterEach(() => {
  delete process.env.SPEC_KEY
})

describe('process.env inside a run', () => {
  it("holds the run's values and never the developer's keys", async () => {
    process.env.SPEC_KEY = 'secret'
    const { inside, host } = await withVariables()
    inside(() => {
      expect(process.env.OWN).toBe('yes')
      expect(env.OWN).toBe('yes')
      expect(process.env.HOME).toBe(host.folders.home)
      expect(process.env.TMPDIR).toBe(host.folders.temp)
      expect(process.env.SPEC_KEY).toBeUndefined()
      expect('SPEC_KEY' in process.env).toBe(false)
      expect('OWN' in process.env).toBe(true)
      expect(Object.keys(process.env)).toContain('OWN')
      expect(Object.keys({ ...process.env })).toEqual(Object.keys(process.env))
      expect(JSON.parse(JSON.stringify(process.env))).toEqual({ ...process.env })
      expect(JSON.stringify(process.env)).not.toContain('secret')
      const names: string[] = []
      for (const name in process.env) names.push(name)
      expect(names).toEqual(Object.keys(process.env))
    })
    expect(process.env.OWN).toBeUndefined()
    expect(env.SPEC_KEY).toBe('secret')
  })

  it('is written and deleted in the run alone, and turns values into strings', async () => {
    const { inside } = await withVariables()
    const other = await withVariables()
    process.env.SPEC_KEY = 'real'
    inside(() => {
      Reflect.set(process.env, 'NUMBER', 7)
      Reflect.set(process.env, 'NOTHING', undefined)
      process.env.SPEC_KEY = 'changed'
      delete process.env.OWN
      Object.defineProperty(process.env, 'DEFINED', {
        value: 1,
        writable: true,
        enumerable: true,
        configurable: true,
      })
      Object.assign(process.env, { ASSIGNED: true })
    })
    expect(inside(() => ({ ...process.env }))).toMatchObject({
      NUMBER: '7',
      NOTHING: 'undefined',
      SPEC_KEY: 'changed',
      DEFINED: '1',
      ASSIGNED: 'true',
    })
    expect(inside(() => process.env.OWN)).toBeUndefined()
    expect(other.inside(() => process.env.OWN)).toBe('yes')
    expect(process.env.SPEC_KEY).toBe('real')
    expect(process.env.NUMBER).toBeUndefined()
  })

  it('can be replaced as a whole, for the run alone', async () => {
    const { inside } = await withVariables()
    const other = await withVariables()
    const before = { ...process.env }
    inside(() => {
      process.env = { ONLY: 'this' }
    })
    expect(inside(() => ({ ...process.env }))).toEqual({ ONLY: 'this' })
    expect(other.inside(() => process.env.OWN)).toBe('yes')
    expect({ ...process.env }).toEqual(before)
  })

  it("stays the run's own where a test replaces the real one", async () => {
    const { inside } = await withVariables()
    const real = process.env
    process.env = { ...real, SPEC_KEY: 'secret' }
    try {
      expect(process.env.SPEC_KEY).toBe('secret')
      expect(inside(() => process.env.SPEC_KEY)).toBeUndefined()
      expect(inside(() => process.env.OWN)).toBe('yes')
    } finally {
      process.env = real
    }
    expect(process.env.SPEC_KEY).toBeUndefined()
    expect(process.env.PATH).toBeTypeOf('string')
  })

  it('takes what an environment file of the run says', async () => {
    const { inside, host } = await startRun()
    writeFileSync(`${host.cwd}/.env`, 'FROM_FILE=yes\nHOME=/elsewhere\n')
    writeFileSync(`${host.cwd}/other.env`, 'FROM_OTHER=yes\n')
    inside(() => {
      process.loadEnvFile()
      process.loadEnvFile('other.env')
    })
    expect(inside(() => [process.env.FROM_FILE, process.env.FROM_OTHER])).toEqual(['yes', 'yes'])
    expect(inside(() => process.env.HOME)).toBe(host.folders.home)
    expect(process.env.FROM_FILE).toBeUndefined()
    expect(() => process.loadEnvFile('no-such.env')).toThrow('no-such.env')
  })

  it('is what a child process gets that is given none', async () => {
    process.env.SPEC_KEY = 'secret'
    const { inside } = await withVariables()
    const print = [process.execPath, ['-p', 'JSON.stringify(process.env)'], { encoding: 'utf8' }] as const
    const seen = inside(() => JSON.parse(spawnSync(...print).stdout) as NodeJS.ProcessEnv)
    expect(seen).toEqual(inside(() => ({ ...process.env })))
    expect(seen.SPEC_KEY).toBeUndefined()
    const outside = JSON.parse(spawnSync(...print).stdout) as NodeJS.ProcessEnv
    expect(outside.SPEC_KEY).toBe('secret')
  })
})

describe('process.env outside of every run', () => {
  it('is the real one, also to write', () => {
    const described = { value: '4', writable: true, enumerable: true, configurable: true }
    Object.defineProperty(process.env, 'SPEC_KEY', described)
    expect(process.env.SPEC_KEY).toBe('4')
    Reflect.set(process.env, 'SPEC_KEY', 5)
    expect(process.env.SPEC_KEY).toBe('5')
    expect(Object.getOwnPropertyDescriptor(process.env, 'SPEC_KEY')).toMatchObject({
      value: '5',
      configurable: true,
    })
    delete process.env.SPEC_KEY
    expect(Object.hasOwn(process.env, 'SPEC_KEY')).toBe(false)
    expect(Object.getOwnPropertyDescriptor(process.env, 'SPEC_KEY')).toBeUndefined()
  })
})
