import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'

import { findKernel } from '../../../src/host/composition/find-kernel.ts'
import { dshComposition } from '../../support/paths.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { compositionFolder } from '../support/composition-folder.ts'
import { problemOf } from '../../support/thrown.ts'

const urlOf = (folder: string) => pathToFileURL(folder + path.sep).href

describe('findKernel', () => {
  it("takes the kernel that the composition's own packages take: there is no second copy", async () => {
    const kernel = await findKernel(urlOf(path.dirname(dshComposition)))
    expect(kernel.Context).toBe(Context)
    expect(kernel.Loader).toBeTypeOf('function')
    expect(kernel.Include).toBeTypeOf('function')
    expect(kernel.Group).toBeTypeOf('function')
    expect(await findKernel(urlOf(path.dirname(dshComposition)))).toBe(kernel)
  })

  it('says which packages to install where there is none, and finds them once they are there', async () => {
    const folder = tempFolder()
    const error = await problemOf(() => findKernel(urlOf(folder)))
    expect(error).toMatchObject({ code: 'COMPOSITION_FAILED', details: { package: '@deepseek-ai/cordis' } })
    expect(error.message).toContain(`no Cordis kernel for the composition in ${folder}/`)
    expect(error.message).toContain(
      'Install @deepseek-ai/cordis, @deepseek-ai/cordis-plugin-loader, @deepseek-ai/cordis-plugin-include',
    )
    const { symlinkSync } = await import('node:fs')
    symlinkSync(path.join(import.meta.dirname, '../../../node_modules'), `${folder}/node_modules`)
    expect((await findKernel(urlOf(folder))).Context).toBe(Context)
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
