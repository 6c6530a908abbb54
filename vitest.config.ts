import { defineConfig } from 'vitest/config'

const every = { statements: 100, branches: 100, functions: 100, lines: 100 }

export default defineConfig({
  // The examples import the package by its name, as a user does.
  resolve: {
    alias: [
      { find: /^acp-snapshot$/, replacement: `${import.meta.dirname}/src/index.ts` },
      { find: /^acp-snapshot\/llm-replay$/, replacement: `${import.meta.dirname}/src/llm-replay/index.ts` },
      { find: /^acp-snapshot\/vitest$/, replacement: `${import.meta.dirname}/src/vitest/index.ts` },
    ],
  },
  test: {
    include: ['spec/**/*.spec.ts'],
    // The runner would leave one core idle, of two.
    maxWorkers: '100%',
    // Every wait in a run has a deadline of its own, whose error says more; a busy machine takes its time.
    testTimeout: 30_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text', 'json-summary'],
      thresholds: {
        perFile: true,
        statements: 95,
        branches: 95,
        functions: 95,
        lines: 95,
        'src/llm-replay/**': every,
        'src/session-log/**': every,
        'src/transcript/**': every,
        'src/scenario/**': every,
      },
    },
  },
})
