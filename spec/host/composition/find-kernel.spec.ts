import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'

import { findKernel } from '../../../src/host/composition/find-kernel.ts'
import { Context as PlainContext } from '../../llm-replay/plain-kernel.ts'
import { dshComposition, root } from '../../support/paths.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { compositionFolder } from '../support/composition-folder.ts'
import { problemOf } from '../../support/thrown.ts'

const urlOf = (folder: string) => pathToFileURL(folder + path.sep).href
const contextIn = async (folder: string): Promise<unknown> => (await findKernel(urlOf(folder))).Context

describe('findKernel', () => {
  it("takes the kernel that the composition's own packages take: there is no second copy", async () => {
    const kernel = await findKernel(urlOf(path.dirname(dshComposition)))
    expect(kernel.Context).toBe(Context)
    expect(await findKernel(urlOf(path.dirname(dshComposition)))).toBe(kernel)
  })

  it.each(['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'])(
    'takes plain Cordis where the nearest package.json that names a kernel names only that, in %s',
    async key => {
      const folder = compositionFolder({
        'package.json': JSON.stringify({ [key]: { cordis: '*' } }),
        'agents/package.json': '{"dependencies":{"zod":"*"},"devDependencies":null}',
        'agents/one/package.json': '"odd"',
        'agents/one/cordis.yml': '[]',
      })
      expect(await contextIn(path.join(folder, 'agents/one'))).toBe(PlainContext)
    },
  )

  it('takes the other where a package.json names both', async () => {
    const folder = compositionFolder({
      'package.json': '{"dependencies":{"cordis":"*"},"peerDependencies":{"@deepseek-ai/cordis":"*"}}',
    })
    expect(await contextIn(folder)).toBe(Context)
  })

  it('takes what can be resolved where no package.json names a kernel, the other one first', async () => {
    const both = tempFolder()
    symlinkSync(path.join(root, 'node_modules'), `${both}/node_modules`)
    expect(await contextIn(both)).toBe(Context)
    const plain = tempFolder({ 'node_modules/zod/package.json': '{}' })
    for (const name of ['cordis', '@cordisjs']) {
      symlinkSync(path.join(root, 'node_modules', name), `${plain}/node_modules/${name}`)
    }
    expect(await contextIn(plain)).toBe(PlainContext)
  })

  it('says which packages to install where there is none, and finds them once they are there', async () => {
    const folder = tempFolder()
    const error = await problemOf(() => findKernel(urlOf(folder)))
    expect(error).toMatchObject({ code: 'COMPOSITION_FAILED', details: { package: '@deepseek-ai/cordis' } })
    expect(error.message).toContain(`no Cordis kernel for the composition in ${folder}/`)
    expect(error.message).toContain(
      'no package.json upwards from there names @deepseek-ai/cordis or cordis, and neither can be found from there. ' +
        'Install @deepseek-ai/cordis, @deepseek-ai/cordis-plugin-loader, @deepseek-ai/cordis-plugin-include, ' +
        'or cordis, @cordisjs/plugin-loader, where',
    )
    symlinkSync(path.join(root, 'node_modules'), `${folder}/node_modules`)
    expect(await contextIn(folder)).toBe(Context)
  })

  it('names the package.json that asks for a kernel which is not there, and what that kernel takes', async () => {
    const folder = tempFolder({ 'package.json': '{"dependencies":{"cordis":"*"}}' })
    const error = await problemOf(() => findKernel(urlOf(folder)))
    expect(error.details).toMatchObject({ package: 'cordis' })
    expect(error.message).toContain('importing cordis from there failed')
    expect(error.message).toContain(`because ${path.join(folder, 'package.json')} names cordis`)
    expect(error.message).toContain('Install cordis, @cordisjs/plugin-loader where')
  })

  it('names a package.json that is not valid JSON', async () => {
    const folder = compositionFolder({ 'package.json': '{"dependencies":' })
    const error = await problemOf(() => findKernel(urlOf(folder)))
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain(`${path.join(folder, 'package.json')}: this file`)
  })

  it('says why a kernel that is there cannot be imported', async () => {
    const folder = compositionFolder({
      'node_modules/@deepseek-ai/cordis/package.json': '{"exports":"./index.mjs"}',
      'node_modules/@deepseek-ai/cordis/index.mjs': 'throw "broken"',
    })
    const error = await problemOf(() => findKernel(urlOf(folder)))
    expect(error.message).toContain('failed (broken)')
  })
})
