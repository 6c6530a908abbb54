import path from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import ts from 'typescript'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as LlmReplay from '../../src/llm-replay/index.ts'
import type { PlainContext } from './plain-kernel.ts'

const root = path.join(import.meta.dirname, '../..')

/** What the compiler says of a user's code, with the resolution of a bundler: the plain kernel's declarations need it. */
function problemsOf(code: string): string[] {
  const file = path.join(import.meta.dirname, 'a-user.ts')
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2024,
    lib: [
      'lib.es2024.d.ts',
      'lib.esnext.disposable.d.ts',
      'lib.esnext.array.d.ts',
      'lib.esnext.collection.d.ts',
    ],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getCurrentDirectory = () => root
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, code, version) : read(name, version)
  host.fileExists = name => name === file || ts.sys.fileExists(name)
  const program = ts.createProgram([file], options, host)
  const source = program.getSourceFile(file)
  return ts
    .getPreEmitDiagnostics(program, source)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

const user = (kernel: string, paceMs: string): string => `
import { Context } from '${kernel}'
import * as LlmReplay from '../../src/llm-replay/index.ts'

const ctx: Context = new Context()
const replay: LlmReplay.ReplayHandle = LlmReplay.installLlmReplay(ctx, { paceMs: ${paceMs} })
replay.dispose()
const config: LlmReplay.Config = { paceMs: ${paceMs} }
void ctx.plugin(LlmReplay, config)
void ctx.plugin({ name: 'mine', inject: ['llm'], apply: (inner: Context) => void LlmReplay.installLlmReplay(inner) })
`

describe('the types', () => {
  it('take a context of the harness kernel', () => {
    expectTypeOf<Context>().toExtend<Parameters<typeof LlmReplay.installLlmReplay>[0]>()
    expectTypeOf<PlainContext>().toExtend<Parameters<typeof LlmReplay.apply>[0]>()
    expectTypeOf<LlmReplay.Config>().toEqualTypeOf<LlmReplay.ReplayConfig>()
    expectTypeOf(LlmReplay.Config.parse(undefined)).toEqualTypeOf<LlmReplay.ReplayConfig>()
  })

  it.each(['@deepseek-ai/cordis', 'cordis'])(
    'let a user of %s install the replay, and mount it as a plugin',
    { timeout: 60_000 },
    kernel => {
      expect(problemsOf(user(kernel, '5'))).toEqual([])
      const problems = problemsOf(user(kernel, "'5'"))
      expect(problems).toHaveLength(2)
      for (const problem of problems)
        expect(problem).toContain("Type 'string' is not assignable to type 'number'")
    },
  )
})
