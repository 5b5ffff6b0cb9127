/** Starts a server, waits until it says that it is ready, and ends it. */

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly url: string
  /** Answers 200 when models are loaded. */
  readonly readyPath: string
}

export interface RunningServer {
  readonly url: string
  readonly pid: number
  /** Milliseconds from spawn to ready. */
  readonly startTime: number
  /** Rejects, with what the server printed last, when it ends. */
  readonly ended: Promise<never>
  stop(): Promise<void>
}

/** Milliseconds. */
const limits = { start: 300_000, stop: 10_000, poll: 5, lastWords: 500 }
const keptLines = 30

const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/** @throws with what the server printed last, when it ends or does not become ready */
export const launch = async ({ command, args, env, url, readyPath }: Launch): Promise<RunningServer> => {
  const started = performance.now()
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const exited = once(child, 'exit').finally(() => running.delete(child))
  const output = lastLines(child)
  const ended = exited.then(([code, signal]) => {
    throw new Error(`${command} ended with ${String(code ?? signal)}:\n${output()}`)
  })
  const waiting = AbortSignal.any([abortedBy(ended), AbortSignal.timeout(limits.start)])
  await Promise.race([ended, untilReady(url + readyPath, waiting)]).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    url,
    pid: child.pid ?? 0,
    startTime: performance.now() - started,
    ended,
    stop: async () => {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), limits.stop)
      await exited
      clearTimeout(late)
    },
  }
}

/** A connection that breaks says little: where a server has ended, that is the error. */
export const whileRunning = async <Result>(
  servers: readonly RunningServer[],
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    await Promise.race([sleep(limits.lastWords), ...servers.map(({ ended }) => ended)])
    throw error
  }
}

const lastLines = (child: ChildProcess): (() => string) => {
  let lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      lines = [...lines, ...text.trimEnd().split('\n')].slice(-keptLines)
    })
  return () => lines.join('\n')
}

/** Aborted when the promise fails, which it may do unheard. */
const abortedBy = (promise: Promise<unknown>): AbortSignal => {
  const controller = new AbortController()
  promise.catch((reason: unknown) => controller.abort(reason))
  return controller.signal
}

const untilReady = async (url: string, signal: AbortSignal): Promise<void> => {
  while ((await statusOf(url)) !== 200) await sleep(limits.poll, undefined, { signal })
}

/** 0 while nobody listens. */
const statusOf = (url: string): Promise<number> =>
  new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    }).on('error', () => resolve(0))
  })

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
