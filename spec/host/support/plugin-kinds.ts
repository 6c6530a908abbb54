import { symlinkSync } from 'node:fs'
import path from 'node:path'

import { compositionFolder } from './composition-folder.ts'

/** The keys of a plugin. */
export const all = ['name', 'inject', 'Config', 'apply']

/** A plugin as an ES module; the others are the same in other forms. */
export const esm = `
  export const name = 'plugin'
  export const inject = ['llm']
  export const Config = { parse: value => value }
  export function apply() {}
`
const typescript = `
  interface Settings { readonly size?: number }
  export const name: string = 'plugin'
  export const inject = ['llm'] as const
  export const Config = { parse: (value: Settings): Settings => value }
  export function apply(_ctx: object, _config: Settings): void {}
`
const commonJs = `
  'use strict'
  Object.defineProperty(exports, '__esModule', { value: true })
  exports.apply = exports.Config = exports.inject = exports.name = void 0
  exports.name = 'plugin'
  exports.inject = ['llm']
  exports.Config = { parse: value => value }
  function apply() {}
  exports.apply = apply
`
/** Node can't read its names off its text. */
const hiddenNames = `
  'use strict'
  const plugin = { name: 'plugin', inject: ['llm'], Config: { parse: value => value }, apply() {} }
  Object.defineProperty(exports, '__esModule', { value: true })
  Object.assign(exports, plugin)
`

const packages = {
  'built-esm': { 'package.json': '{"type":"module","exports":"./lib/index.js"}', 'lib/index.js': esm },
  'built-cjs': { 'package.json': '{"main":"lib/index.js"}', 'lib/index.js': commonJs },
  'hidden-names': { 'package.json': '{"main":"lib/index.js"}', 'lib/index.js': hiddenNames },
}

/** A composition of these entries, beside these files. */
export function composition(names: readonly string[], files: Readonly<Record<string, string>> = {}): string {
  const rows = JSON.stringify(names.map(name => ({ name })))
  return path.join(compositionFolder({ 'cordis.yml': rows, ...files }), 'cordis.yml')
}

/** Every kind of plugin; `more` is put behind the text of each. */
export function everyKind(more: { readonly module: string; readonly commonJs: string }): string {
  const files: Record<string, string> = {}
  for (const [name, content] of Object.entries(packages)) {
    for (const [file, text] of Object.entries(content)) {
      const behind = file === 'package.json' ? '' : name === 'built-esm' ? more.module : more.commonJs
      files[`node_modules/${name}/${file}`] = text + behind
    }
  }
  files['plugin.mjs'] = esm + more.module
  files['plugin.ts'] = typescript + more.module
  // Node strips no types below node_modules; a package of the same repository is a link from there.
  files['packages/linked/package.json'] = '{"type":"module","exports":"./src/index.ts"}'
  files['packages/linked/src/index.ts'] = typescript + more.module
  const names = [...Object.keys(packages), './plugin.mjs', './plugin.ts', 'linked']
  const file = composition(names, files)
  symlinkSync('../packages/linked', path.join(path.dirname(file), 'node_modules/linked'))
  return file
}

/** The entries of {@link everyKind}. */
export const kinds = [...Object.keys(packages), './plugin.mjs', './plugin.ts', 'linked']
