import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from '../options.js'

/** Limits the open connections, altogether and of each address. */
export const limitConnections = (server: Server, { connections, connectionsPerAddress }: Limits): void => {
  server.maxConnections = connections
  if (!connectionsPerAddress) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left) open.set(address, left)
      else open.delete(address)
    })
    if (count > connectionsPerAddress) socket.destroy()
  })
}

/** Counts the answers that are not finished. */
export class RunningAnswers {
  private count = 0
  private idle: (() => void)[] = []

  constructor(server: Server) {
    server.on('request', (_, response: ServerResponse) => {
      this.count += 1
      response.once('close', () => {
        this.count -= 1
        if (!this.count) for (const resolve of this.idle.splice(0)) resolve()
      })
    })
  }

  /** Resolves when none is running, or when the signal is aborted. */
  async finished(signal: AbortSignal): Promise<void> {
    if (!this.count || signal.aborted) return
    await new Promise<void>((resolve) => {
      this.idle.push(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}
