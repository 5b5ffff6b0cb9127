/** A server program that this plugin starts: its port, its process, and its readiness. */

import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { GuardedProcess, OutputLines } from '@sallyport/kit/processes'
import type { ProgramStart } from '@sallyport/kit/processes'
import type { Dispatcher } from 'undici'

/** Returns the port where it is free, and undefined where it is in use; for 0, any free port. */
export const freePort = async (wanted: number): Promise<number | undefined> => {
  const probe = createServer()
  try {
    probe.listen(wanted, '127.0.0.1')
    await once(probe, 'listening')
    return (probe.address() as AddressInfo).port
  } catch {
    return undefined
  } finally {
    probe.close()
  }
}

/** A server program, and what it prints. */
export class ServerProcess extends GuardedProcess {
  /** The last lines of its output. */
  readonly tail: readonly string[]

  constructor(start: ProgramStart, onLine: (line: string) => void) {
    super(start)
    this.input.end()
    const lines = new OutputLines(onLine)
    for (const output of [this.output, this.errors]) lines.read(output)
    this.tail = lines.tail
  }

  /** Sends SIGTERM to the group, and SIGKILL after some seconds. Returns when the program has ended. */
  async stop(seconds: number): Promise<void> {
    if (!this.isRunning) return
    this.signal('SIGTERM')
    const timer = setTimeout(() => this.signal('SIGKILL'), seconds * 1000)
    await this.ended
    clearTimeout(timer)
  }
}

/** Milliseconds between two probes, and the time limit of each. */
const readiness = { interval: 100, timeout: 2000 }

/** Resolves once the URL answers 2xx. @throws the signal's reason */
export const untilReady = async (url: URL, dispatcher: Dispatcher, signal: AbortSignal): Promise<void> => {
  while (!(await isReady(url, dispatcher, signal))) {
    signal.throwIfAborted()
    await after(readiness.interval)
  }
  signal.throwIfAborted()
}

const isReady = async (url: URL, dispatcher: Dispatcher, signal: AbortSignal): Promise<boolean> => {
  try {
    const { statusCode, body } = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      signal: AbortSignal.any([signal, AbortSignal.timeout(readiness.timeout)]),
    })
    await body.dump()
    return statusCode >= 200 && statusCode < 300
  } catch {
    return false
  }
}
