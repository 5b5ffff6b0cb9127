/** A server program of our own: its port, its process, and when it can be asked. */

import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { GuardedProcess, OutputLines } from '@sallyport/kit/processes'
import type { ProgramStart } from '@sallyport/kit/processes'
import type { Dispatcher } from 'undici'

/** Whether nobody listens on a port of this machine; 0 finds a free one. @returns the port, or undefined */
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
export class ServerProcess {
  readonly #lines: OutputLines
  readonly #process: GuardedProcess

  constructor(start: ProgramStart, onLine: (line: string) => void) {
    this.#lines = new OutputLines(onLine)
    this.#process = new GuardedProcess(start)
    this.#process.input.end()
    for (const output of [this.#process.output, this.#process.errors]) this.#lines.read(output)
  }

  /** How it ended, in words; never rejects. */
  get ended(): Promise<string> {
    return this.#process.ended
  }

  /** The last lines of its output. */
  get tail(): readonly string[] {
    return this.#lines.tail
  }

  /** SIGTERM to the group, and SIGKILL after so many seconds. Returns when the program has ended. */
  async stop(seconds: number): Promise<void> {
    if (!this.#process.isRunning) return
    this.#process.signal('SIGTERM')
    const timer = setTimeout(() => this.#process.signal('SIGKILL'), seconds * 1000)
    await this.ended
    clearTimeout(timer)
  }
}

/** Milliseconds between two looks, and that one look may take. */
const readiness = { interval: 100, patience: 2000 }

/** Resolves once the URL answers 2xx. @throws the signal's reason */
export const untilReady = async (url: URL, dispatcher: Dispatcher, signal: AbortSignal): Promise<void> => {
  while (!(await answers(url, dispatcher, signal))) {
    signal.throwIfAborted()
    await after(readiness.interval)
  }
  signal.throwIfAborted()
}

const answers = async (url: URL, dispatcher: Dispatcher, signal: AbortSignal): Promise<boolean> => {
  try {
    const { statusCode, body } = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      signal: AbortSignal.any([signal, AbortSignal.timeout(readiness.patience)]),
    })
    await body.dump()
    return statusCode >= 200 && statusCode < 300
  } catch {
    return false
  }
}
