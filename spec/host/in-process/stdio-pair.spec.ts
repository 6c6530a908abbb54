import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { StdioPair } from '../../../src/host/in-process/stdio-pair.ts'
import { thrownBy } from '../../support/thrown.ts'

const bytes = (content: string) => new TextEncoder().encode(content)

describe('StdioPair', () => {
  it('carries bytes from the client to the agent, in order and as they are', async () => {
    const { client, agent } = new StdioPair()
    const writer = client.input.getWriter()
    const sent = [bytes('one\n'), new Uint8Array([0xff, 0x00, 0xc3]), bytes(''), bytes('two')]
    for (const part of sent) await writer.write(part)
    await writer.close()
    expect(Buffer.concat(await Array.fromAsync(agent.input))).toEqual(Buffer.concat(sent))
  })

  it('puts what the agent writes to its stream and to its process in one order', async () => {
    const pair = new StdioPair()
    const writer = pair.agent.output.getWriter()
    await writer.write(bytes('1'))
    pair.process.stdout.write('2')
    await writer.write(bytes('3'))
    pair.process.stdout.write(Buffer.from('4'))
    pair.process.stdout.write('35', 'hex')
    pair.endOutput()
    expect(await text(pair.client.output)).toBe('12345')
  })

  it('keeps a copy of what was written: the writer may use its buffer again', async () => {
    const pair = new StdioPair()
    const buffer = Buffer.from('before')
    pair.process.stdout.write(buffer)
    buffer.fill('x')
    pair.endOutput()
    expect(await text(pair.client.output)).toBe('before')
  })

  it('keeps standard error apart', async () => {
    const pair = new StdioPair()
    pair.process.stderr.write('a\n')
    pair.process.stdout.write('b\n')
    pair.process.stderr.write(Buffer.from('ü'))
    expect(pair.errors).toBe('a\nü')
    pair.endOutput()
    expect(await text(pair.client.output)).toBe('b\n')
  })

  it("ends the agent's input when the client closes or aborts it", async () => {
    for (const end of ['close', 'abort'] as const) {
      const { client, process } = new StdioPair()
      const writer = client.input.getWriter()
      await writer.write(bytes('last'))
      await writer[end]()
      expect(await text(process.stdin)).toBe('last')
    }
  })

  it('drops what is written once the output has ended or nobody reads it any more', async () => {
    const ended = new StdioPair()
    ended.endOutput()
    ended.endOutput()
    ended.process.stdout.write('late')
    await ended.agent.output.getWriter().write(bytes('late'))
    expect(await text(ended.client.output)).toBe('')

    const cancelled = new StdioPair()
    await cancelled.client.output.cancel()
    cancelled.process.stdout.write('late')
    cancelled.endOutput()
  })

  it('leaves the output open when the agent closes its stream: its process may still write', async () => {
    const pair = new StdioPair()
    const writer = pair.agent.output.getWriter()
    await writer.write(bytes('a'))
    await writer.close()
    pair.process.stdout.write('b')
    pair.endOutput()
    expect(await text(pair.client.output)).toBe('ab')
  })

  it('leaves standard input to whoever reads first', async () => {
    const pair = new StdioPair()
    const writer = pair.client.input.getWriter()
    await writer.write(bytes('x'))
    const reader = pair.agent.input.getReader()
    expect(await reader.read()).toMatchObject({ value: bytes('x') })
    expect(await thrownBy(() => text(pair.process.stdin))).toMatchObject({ code: 'ERR_INVALID_STATE' })
  })

  it('gives a stand-in that is a Node stream in every way of reading', async () => {
    for (const read of [
      (stdin: Readable) => text(Readable.toWeb(stdin)),
      (stdin: Readable) => text(stdin),
      (stdin: Readable) =>
        new Promise(resolve => {
          let seen = ''
          stdin.setEncoding('utf8').on('readable', () => {
            for (let part: unknown; (part = stdin.read()) !== null;) seen += part as string
          })
          stdin.on('end', () => resolve(seen))
        }),
    ]) {
      const pair = new StdioPair()
      const writer = pair.client.input.getWriter()
      const seen = read(pair.process.stdin)
      await writer.write(bytes('one '))
      await writer.write(bytes('two'))
      await writer.close()
      expect(await seen).toBe('one two')
    }
  })

  it('tells a listener that someone else reads standard input', async () => {
    const pair = new StdioPair()
    pair.agent.input.getReader()
    const { promise, resolve } = Promise.withResolvers<unknown>()
    pair.process.stdin.on('error', resolve).on('data', () => undefined)
    expect(await promise).toMatchObject({ code: 'ERR_INVALID_STATE' })
  })

  it('shows on real standard error what is written after the end', () => {
    const shown = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => shown.mockRestore())
    const pair = new StdioPair()
    pair.endOutput()
    pair.process.stdout.write('too late\n')
    expect(shown).toHaveBeenCalledExactlyOnceWith(
      'acp-snapshot: the agent of a run that is over wrote to its standard output: "too late\\n"\n',
    )
  })
})
