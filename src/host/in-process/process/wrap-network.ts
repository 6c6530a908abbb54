import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

import { SnapshotError } from '../../../errors.ts'

/** Who is told of what was refused. */
export type ToldOfNetwork = (message: string) => void

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

/**
 * Refuses connections, servers, name look-ups and datagrams to code inside a run that must not reach the network: a
 * replay is to give the same result everywhere. fetch, http and tls all connect through `net.Socket`. Processes that a
 * run starts are their own.
 *
 * @param refusing - asked at each call: who is told where it is to be refused, undefined where it is not
 */
export function wrapNetwork(refusing: () => ToldOfNetwork | undefined): void {
  const wrapMethod = methodWrapper(refusing)
  // As the system would: the socket reports the refusal as its error.
  wrapMethod(net.Socket.prototype, 'connect', (socket, _args, refusal) => {
    ;(socket as net.Socket).destroy(refusal)
    return socket
  })
  wrapMethod(net.Server.prototype, 'listen', (server, _args, refusal) => {
    process.nextTick(() => (server as net.Server).emit('error', refusal))
    return server
  })
  for (const name of ['bind', 'connect', 'send'] as const) {
    wrapMethod(dgram.Socket.prototype, name, (socket, args, refusal) => {
      if (!giveToCallback(args, refusal))
        process.nextTick(() => (socket as dgram.Socket).emit('error', refusal))
      return socket
    })
  }
  const isQuery = (name: string): boolean => /^(?:lookup|resolve|reverse)/.test(name)
  for (const name of Object.keys(dns).filter(isQuery)) {
    wrapMethod(dns, name, (_dns, args, refusal) => {
      if (!giveToCallback(args, refusal)) throw refusal
      return undefined
    })
  }
  for (const name of Object.keys(dns.promises).filter(isQuery)) {
    wrapMethod(dns.promises, name, (_dns, _args, refusal) => Promise.reject(refusal))
  }
}

type Refuse = (self: unknown, args: readonly unknown[], refusal: SnapshotError) => unknown

function methodWrapper(refusing: () => ToldOfNetwork | undefined) {
  return (owner: object, name: string, refuse: Refuse): void => {
    const original = Reflect.get(owner, name) as AnyFunction
    const wrapped = function (this: unknown, ...args: unknown[]): unknown {
      const tell = refusing()
      if (tell === undefined) return Reflect.apply(original, this, args)
      return refuse(this, args, refusalOf(name, args, tell))
    }
    // util.promisify reads a symbol of dns.lookup.
    Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original))
    Reflect.set(owner, name, wrapped)
  }
}

function refusalOf(name: string, args: readonly unknown[], tell: ToldOfNetwork): SnapshotError {
  const caller = callerOf(String(new Error().stack))
  const refusal = new SnapshotError(
    'ISOLATION',
    `the agent reaches for the network: ${name}(${targetOf(args)}) ${caller}. In a replay nothing may be reached: ` +
      `let the model answer from the recording, and give the tool something on the run's own disk.`,
    { details: { call: name, caller } },
  )
  // Whoever called may take it for a network that is down and go on.
  tell(`${refusal.message}\n`)
  return refusal
}

const ownPlace = /node:|\(<anonymous>\)|[\\/]wrap-network\.[jt]s/

/** The first place in the stack that is neither Node's nor this file's; a promise may have left none. */
function callerOf(stack: string): string {
  const places = stack.split('\n').slice(1)
  const outside = places.find(place => !ownPlace.test(place))
  return outside?.trim() ?? 'at an unknown place'
}

function targetOf(args: readonly unknown[]): string {
  // net normalises its arguments into an array before it connects.
  const [first] = args.flat()
  if (typeof first !== 'object' || first === null) return String(first)
  const { host = 'localhost', port, path } = first as { host?: string; port?: number; path?: string | null }
  return path ?? `${host}:${String(port)}`
}

function giveToCallback(args: readonly unknown[], refusal: SnapshotError): boolean {
  const callback = args.at(-1)
  if (typeof callback !== 'function') return false
  process.nextTick(callback, refusal)
  return true
}
