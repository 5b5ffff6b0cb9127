import type { LookupAddress } from 'node:dns'
import { Socket, isIP } from 'node:net'

interface ConnectOptions {
  readonly host: string
  readonly port: number
  readonly lookup?: (
    name: string,
    options: { all: true },
    callback: (error: Error | null, addresses: LookupAddress[]) => void,
  ) => void
}

/** Where sockets were to be connected; none of them is. */
export interface SocketRecorder {
  /** `address:port`, of every address that the socket would have gone to. */
  readonly connections: string[]
  readonly restore: () => void
}

/** Stands in the place of every connection of the process, whoever makes it. */
export const recordSockets = (): SocketRecorder => {
  const connections: string[] = []
  const original = Object.getOwnPropertyDescriptor(Socket.prototype, 'connect')!
  const connect = function (this: Socket, ...given: unknown[]): Socket {
    const { host, port, lookup } = optionsOf(given)
    const note = (address: string) => connections.push(`${address}:${port}`)
    if (isIP(host) || !lookup) note(host)
    else lookup(host, { all: true }, (_, addresses) => addresses.forEach(({ address }) => note(address)))
    setImmediate(() => this.destroy(Object.assign(new Error('recorded'), { code: 'ECONNREFUSED' })))
    return this
  }
  Object.defineProperty(Socket.prototype, 'connect', { ...original, value: connect })
  return { connections, restore: () => void Object.defineProperty(Socket.prototype, 'connect', original) }
}

/** Node passes its options alone, or in an array that it has normalised. */
const optionsOf = ([first]: unknown[]): ConnectOptions =>
  (Array.isArray(first) ? (first as unknown[])[0] : first) as ConnectOptions
