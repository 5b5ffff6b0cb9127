import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { repository } from './repository.js'

export interface RunningServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly key: string
  readonly child: ChildProcess
  /** What was printed so far, on both streams. */
  readonly output: () => string
  readonly get: (path: string) => Promise<Response>
  readonly post: (path: string, body: unknown, signal?: AbortSignal) => Promise<Response>
  /** With further headers. */
  readonly send: (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Response>
  readonly stop: () => Promise<void>
}

/** Starts `sallyport serve` as a user would, on a free port, with state of its own, and waits until it is ready. */
export const startServer = async (configFile: string, env: NodeJS.ProcessEnv = {}): Promise<RunningServer> => {
  const state = await mkdtemp(join(tmpdir(), 'sallyport-test-'))
  const key = 'sk-test-0123456789abcdef0123456789abcdef'
  const child = spawn(
    process.execPath,
    [join(repository, 'core/cli/bin/sallyport.mjs'), 'serve', '--config', configFile, '--port', '0'],
    {
      env: { ...process.env, XDG_STATE_HOME: state, SALLYPORT_API_KEY: key, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  const ended = once(child, 'close')
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(state, { recursive: true, force: true })
  }
  const url = await listening(child, () => output).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    url,
    key,
    child,
    output: () => output,
    get: (path) => fetch(url + path, { headers }),
    post: (path, body, signal) =>
      fetch(url + path, { method: 'POST', headers, body: encoded(body), ...(signal ? { signal } : {}) }),
    send: (path, body, further = {}) =>
      fetch(url + path, { method: 'POST', headers: { ...headers, ...further }, body: encoded(body) }),
    stop,
  }
}

/**
 * A server with this configuration for the tests of a suite, in a directory with these files, by their names; both are
 * gone after it. Call inside `describe`.
 */
export const useServer = (
  config: object,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): RunningServer & { readonly directory: string } => {
  after(() => server.stop())
  const { path: directory, write } = useTemporaryDirectory()
  const server = { directory } as RunningServer & { directory: string }
  before(async function () {
    this.timeout(patience)
    for (const [name, content] of Object.entries(files)) write(name, content)
    Object.assign(server, await startServer(write('config.json', JSON.stringify(config))))
  })
  return server
}

const encoded = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

/** Model downloads on a fresh machine are part of the wait. */
const patience = 600_000

const listening = async (child: ChildProcess, output: () => string): Promise<string> => {
  const until = Date.now() + patience
  while (Date.now() < until) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0]
    if (url && (await isReady(url))) return url
    const end = child.exitCode ?? child.signalCode
    if (end !== null) throw new Error(`the server ended with ${end}:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the server is not ready after ${patience / 1000} s:\n${output()}`)
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )
