import { describe, expect, it } from 'vitest'

import { runEnvironment } from '../../src/host/run-environment.ts'

describe('runEnvironment', () => {
  it('keeps what programs need to start, fixes locale and time zone, and lets the given values win', () => {
    const real = {
      PATH: '/bin',
      DEEPSEEK_API_KEY: 'secret',
      LANG: 'de_DE.UTF-8',
      USER: 'me',
      HOME: '/home/me',
    }
    expect(
      runEnvironment(real, { home: '/run/home', temp: '/run/tmp' }, { TZ: 'Asia/Tokyo', OWN: 'yes' }),
    ).toEqual({
      PATH: '/bin',
      LANG: 'C.UTF-8',
      LC_ALL: 'C.UTF-8',
      TZ: 'Asia/Tokyo',
      TERM: 'dumb',
      HOME: '/run/home',
      TMPDIR: '/run/tmp',
      OWN: 'yes',
    })
  })
})
