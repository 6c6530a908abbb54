import { describe, expect, it } from 'vitest'
import { Config } from '../../src/llm-replay/config.ts'

const whole = {
  file: 'session.jsonl',
  overrideFile: 'replay.override.json',
  childFiles: ['session.1.jsonl'],
  providers: [
    {
      id: 'p',
      name: 'P',
      retryPolicy: {
        mode: 'normal',
        maxRetries: 0,
        retryableCodes: ['BUSY'],
        backoff: { initialDelayMs: 0.5, maxDelayMs: 2, jitterRatio: 1 },
      },
      models: [
        {
          id: 'm',
          name: 'M',
          description: 'small',
          contextWindow: 8,
          maxTokens: 4,
          inputModalities: ['text', 'image'],
          reasoning: { efforts: [{ id: 'high', name: 'High' }], defaultEffort: 'high' },
        },
      ],
    },
    { id: 'q', models: [] },
  ],
  paceMs: 0,
  drift: 'report',
}

function refusals(value: unknown): string[] {
  const result = Config.safeParse(value)
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

describe('Config', () => {
  it('takes an entry without config for an empty one', () => {
    expect(Config.parse(undefined)).toEqual({})
    expect(Config.parse({})).toEqual({})
  })

  it('takes the whole, and keys whose value is undefined', () => {
    expect(Config.parse(whole)).toEqual(whole)
    expect(Config.parse({ file: undefined, providers: undefined, paceMs: 5 })).toEqual({ paceMs: 5 })
  })

  it.each([
    [null, ': found null; allowed: an object with file, overrideFile, childFiles, providers, paceMs, drift'],
    [
      { files: 'x' },
      ': unknown key "files"; allowed: file, overrideFile, childFiles, providers, paceMs, drift',
    ],
    [{ file: '' }, 'file: found ""; allowed: a non-empty string'],
    [{ file: 1 }, 'file: found 1; allowed: a non-empty string'],
    [{ childFiles: 'a:b' }, 'childFiles: found "a:b"; allowed: an array of file names'],
    [{ paceMs: -1 }, 'paceMs: found -1; allowed: a whole number of milliseconds from 0 to 2147483647'],
    [{ paceMs: 1.5 }, 'paceMs: found 1.5; allowed: a whole number of milliseconds from 0 to 2147483647'],
    [{ drift: 'off' }, 'drift: found "off"; allowed: "error" or "report"'],
    [{ drift: true }, 'drift: found true; allowed: "error" or "report"'],
    [{ providers: {} }, 'providers: found an object; allowed: an array of {id, models, …}'],
    [{ providers: [{ id: 'p' }] }, 'providers.0.models: found nothing; allowed: an array of {id, …}'],
    [
      { providers: [{ id: 'p', models: [], key: 1 }] },
      'providers.0: unknown key "key"; allowed: id, name, retryPolicy, models',
    ],
    [
      {
        providers: [
          { id: 'p', models: [] },
          { id: 'p', models: [] },
        ],
      },
      'providers.1.id: found "p" again; allowed: an id once',
    ],
    [
      { providers: [{ id: 'p', models: [{ id: 'm' }, { id: 'm' }] }] },
      'providers.0.models.1.id: found "m" again; allowed: an id once',
    ],
    [
      { providers: [{ id: 'p', models: [{ id: 'm', contextWindow: 0 }] }] },
      'providers.0.models.0.contextWindow: found 0; allowed: a whole number of tokens above 0',
    ],
    [
      { providers: [{ id: 'p', models: [{ id: 'm', contextWindow: '8' }] }] },
      'providers.0.models.0.contextWindow: found "8"; allowed: a whole number of tokens above 0',
    ],
    [
      { providers: [{ id: 'p', models: [], retryPolicy: { mode: 'never' } }] },
      'providers.0.retryPolicy.mode: found "never"; allowed: "normal" or "always"',
    ],
    [
      { providers: [{ id: 'p', models: [], retryPolicy: { mode: 'always', maxRetries: -1 } }] },
      'providers.0.retryPolicy.maxRetries: found -1; allowed: a whole number, 0 or more',
    ],
    [
      {
        providers: [{ id: 'p', models: [], retryPolicy: { mode: 'always', backoff: { initialDelayMs: 0 } } }],
      },
      'providers.0.retryPolicy.backoff.initialDelayMs: found 0; allowed: a number of milliseconds above 0, up to 2147483647',
    ],
    [
      {
        providers: [{ id: 'p', models: [], retryPolicy: { mode: 'always', backoff: { maxDelayMs: 100 } } }],
      },
      'providers.0.retryPolicy.backoff.initialDelayMs: found 500; allowed: no more than maxDelayMs, which is 100',
    ],
    [
      { providers: [{ id: 'p', models: [], retryPolicy: { mode: 'normal', retryableCodes: ['A', 'A'] } }] },
      'providers.0.retryPolicy.retryableCodes: found an array of 2; allowed: an array of codes, at least one, each once',
    ],
    [
      { providers: [{ id: 'p', models: [{ id: 'm', reasoning: { efforts: [] } }] }] },
      'providers.0.models.0.reasoning.efforts: found an array of 0; allowed: an array of {id, name}, at least one',
    ],
    [
      {
        providers: [
          {
            id: 'p',
            models: [
              { id: 'm', reasoning: { efforts: [{ id: 'low', name: 'Low' }], defaultEffort: 'high' } },
            ],
          },
        ],
      },
      'providers.0.models.0.reasoning.defaultEffort: found "high"; allowed: the id of an effort: low',
    ],
    [
      { providers: [{ id: 'p', models: [], retryPolicy: { mode: 'always', backoff: { jitterRatio: 2 } } }] },
      'providers.0.retryPolicy.backoff.jitterRatio: found 2; allowed: a number from 0 to 1',
    ],
  ])('refuses %j', (value, message) => {
    expect(refusals(value)).toEqual([message])
  })
})
