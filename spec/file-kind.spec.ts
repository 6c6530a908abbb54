import { once } from 'node:events'
import { lstatSync, statSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'

import { expect, it } from 'vitest'

import { fileKind } from '../src/file-kind.ts'
import { oddFiles } from './support/odd-file.ts'
import { tempFolder } from './support/temp-folder.ts'

it.each(oddFiles)('knows %s', (kind, make) => {
  const file = path.join(tempFolder(), 'odd')
  make(file)
  expect(fileKind(statSync(file))).toBe(kind)
})

it('knows a file, a device, a socket and a link', async () => {
  const folder = tempFolder({ file: '' })
  const socket = path.join(folder, 'socket')
  await using server = net.createServer().listen(socket)
  await once(server, 'listening')
  expect(fileKind(statSync(path.join(folder, 'file')))).toBe('a file')
  expect(fileKind(statSync('/dev/null'))).toBe('a device')
  expect(fileKind(statSync(socket))).toBe('a socket')
  expect(fileKind(lstatSync('/proc/self/cwd'))).toBe('a link')
})
