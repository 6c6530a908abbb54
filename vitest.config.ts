import { defineConfig } from 'vitest/config'

const every = { statements: 100, branches: 100, functions: 100, lines: 100 }

export default defineConfig({
  test: {
    include: ['spec/**/*.spec.ts'],
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
