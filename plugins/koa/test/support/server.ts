import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discreetLogger } from '@sallyport/kit/logging'
import { silentLogger } from '@sallyport/core'
import type { ConfigInput, Kernel, Logger } from '@sallyport/core'
import { HttpServer, KeyStore } from '../../src/index.js'
import { completeOptions } from '../../src/options.js'
import type { ServerOptionsInput } from '../../src/options.js'
import { testKernel } from './kernel.js'
import type { TestModel } from './kernel.js'

export interface TestServer {
  readonly url: string
  readonly key: string
  readonly home: string
  readonly keys: KeyStore
  readonly http: HttpServer
  /** What was announced at the terminal. */
  readonly announced: string[]
  /** Sends with the key; an object becomes JSON. */
  readonly send: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>
  readonly stop: () => Promise<void>
}

export const startServer = async (
  kernel: Kernel,
  options: ServerOptionsInput = {},
  logger: Logger = silentLogger,
  baseDirectory = tmpdir(),
): Promise<TestServer> => {
  const home = mkdtempSync(join(tmpdir(), 'sallyport-koa-'))
  const announced: string[] = []
  const keys = new KeyStore(home)
  const { key } = keys.create({ name: 'test' })
  const announce = (lines: string) => announced.push(lines)
  const discreet = discreetLogger(logger, { exceptions: 'frames' })
  const http = new HttpServer(completeOptions({ port: 0, ...options }), kernel, discreet, home, announce, baseDirectory)
  await http.start()
  const url = http.url!
  const send: TestServer['send'] = (method, path, body, headers = {}) =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body === undefined ? {} : { body: encode(body) }),
    })
  return {
    url,
    key,
    home,
    keys,
    http,
    announced,
    send,
    post: (path, body, headers = {}) => send('POST', path, body, { 'content-type': 'application/json', ...headers }),
    get: (path, headers) => send('GET', path, undefined, headers),
    stop: async () => {
      await http.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** A server for all tests of a `describe`: started before the first, stopped after the last. */
export const serverFor = (kernel: () => Promise<Kernel>, options?: ServerOptionsInput, logger?: Logger): TestServer => {
  let server: TestServer | undefined
  before(async () => {
    server = await startServer(await kernel(), options, logger)
  })
  after(() => server?.stop())
  return new Proxy({} as TestServer, { get: (_, name) => Reflect.get(server!, name) as unknown })
}

const shared = new WeakMap<readonly TestModel[], Map<string, Promise<TestServer>>>()
const servers: Promise<TestServer>[] = []
after(async () => Promise.all(servers.splice(0).map(async (server) => (await server).stop())))

/** The server of these models under this configuration, for all tests that do not change it. */
export const sharedServer = (models: readonly TestModel[], config: ConfigInput = {}): Promise<TestServer> => {
  const byConfig = shared.get(models) ?? new Map<string, Promise<TestServer>>()
  shared.set(models, byConfig)
  const key = JSON.stringify(config)
  const server = byConfig.get(key) ?? testKernel(models, config).then((kernel) => startServer(kernel))
  if (!byConfig.has(key)) servers.push(server)
  byConfig.set(key, server)
  return server
}

/** A port that nobody listens on. */
export const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A server for one test, stopped whatever happens. */
export const withServer = async (
  kernel: Kernel,
  options: ServerOptionsInput,
  use: (server: TestServer) => Promise<void>,
  logger?: Logger,
): Promise<void> => {
  const server = await startServer(kernel, options, logger)
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

const encode = (body: unknown): string | Uint8Array<ArrayBuffer> => {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? Uint8Array.from(body) : JSON.stringify(body)
}

/** Bytes to and from a socket, as they are. */
export interface RawConnection {
  readonly socket: Socket
  write(text: string): void
  /** Everything received until the other side closed, or until the text was seen. */
  until(text?: string): Promise<string>
  readonly received: () => string
}

export const openRaw = async (url: string): Promise<RawConnection> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => (received += text))
  socket.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const until = (text?: string) =>
    new Promise<string>((resolve) => {
      const look = () => {
        if (text !== undefined && received.includes(text)) resolve(received)
      }
      socket.on('data', look)
      socket.once('close', () => resolve(received))
      if (socket.destroyed) resolve(received)
      look()
    })
  return { socket, write: (text) => void socket.write(text, 'latin1'), until, received: () => received }
}

/** One request on a connection of its own, and everything that came back until it was closed. */
export const raw = async (url: string, request: string): Promise<string> => {
  const connection = await openRaw(url)
  connection.write(request)
  return connection.until()
}
