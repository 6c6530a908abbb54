import dgram from 'node:dgram'
import dns, { lookup } from 'node:dns'
import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { SnapshotError } from '../../../../src/errors.ts'
import { startRun, type Run } from '../../support/start-run.ts'

/** The refusal that an error is, or has as its cause. */
function refusal(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof SnapshotError) return at.message
  throw error
}

async function refusalOf(work: () => Promise<unknown>): Promise<string> {
  return refusal(
    await work().then(
      () => new Error('it was let through'),
      (error: unknown) => error,
    ),
  )
}

describe('the network', () => {
  const server = http.createServer((_request, response) => response.end('reached'))
  let port = 0

  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => server.close())

  const ways: [string, () => Promise<unknown>][] = [
    ['fetch', () => fetch(`http://127.0.0.1:${port}/`)],
    ['http', () => once(http.get({ host: '127.0.0.1', port }), 'response')],
    ['net', () => once(net.connect(port, '127.0.0.1'), 'connect')],
    ['a local socket', () => once(net.connect('/tmp/no-such-socket'), 'connect')],
    ['a server', () => once(http.createServer().listen(0), 'listening')],
    ['a bound datagram socket', () => once(dgram.createSocket('udp4').bind(0), 'listening')],
    ['dns', () => promisify(dns.lookup)('localhost')],
    ['a named import of dns', () => promisify(lookup)('localhost')],
    ['dns.promises', () => dns.promises.resolve4('localhost')],
    ['a datagram', () => sendDatagram(true)],
    ['a datagram without a callback', () => sendDatagram(false)],
  ]

  async function sendDatagram(callback: boolean): Promise<void> {
    const socket = dgram.createSocket('udp4')
    try {
      if (!callback) {
        socket.send('x', port, '127.0.0.1')
        await once(socket, 'message', { signal: AbortSignal.timeout(5000) })
      }
      await new Promise<void>((resolve, reject) => {
        socket.send('x', port, '127.0.0.1', error => (error === null ? resolve() : reject(error)))
      })
    } finally {
      socket.close()
    }
  }

  it.each(ways)('cannot be reached inside a run by %s; the refusal names the caller', async (_way, reach) => {
    const { inside, host } = await startRun()
    const message = await refusalOf(() => inside(reach))
    expect(message).toContain('the agent reaches for the network')
    expect(message).toMatch(/ at .*wrap-network\.spec\.ts|undici|an unknown place/)
    expect(host.diagnostics()).toContain('the agent reaches for the network')
  })

  it('throws where there is no callback to tell', async () => {
    const { inside } = await startRun()
    expect(() => inside(() => (dns.lookup as unknown as (name: string) => void)('localhost'))).toThrow(
      'reaches for the network',
    )
  })

  it('names what was to be reached', async () => {
    const { inside } = await startRun()
    expect(await refusalOf(() => inside(() => fetch(`http://127.0.0.1:${port}/`)))).toContain(
      `connect(127.0.0.1:${port})`,
    )
    expect(await refusalOf(() => inside(() => once(net.connect({ port: 9 }), 'connect')))).toContain(
      'connect(localhost:9)',
    )
    expect(await refusalOf(() => inside(() => once(net.connect('/a/socket'), 'connect')))).toContain(
      'connect(/a/socket)',
    )
    expect(await refusalOf(() => inside(() => promisify(dns.lookup)('example.org')))).toContain(
      'lookup(example.org)',
    )
  })

  it('is there outside of runs meanwhile, and inside one that may use it', async () => {
    const open: Run = await startRun({ network: 'open' })
    const get = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/`)).text()
    expect(await open.inside(get)).toBe('reached')
    expect(await get()).toBe('reached')
    expect(await promisify(dns.lookup)('localhost')).toHaveProperty('address')
  })
})
