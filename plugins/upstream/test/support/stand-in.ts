import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { loadModel, stopModels } from './models.js'
import type { Model } from './models.js'

/** A request as it came. */
export interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON. */
  readonly body: Record<string, unknown>
  readonly socket: Socket
}

export type Answer = (response: ServerResponse, asked: Asked) => unknown

/** An OpenAI-compatible server that does what a test tells it, right or wrong. */
export class StandIn {
  readonly asked: Asked[] = []
  readonly sockets = new Set<Socket>()
  /** Answer to `GET /v1/models`. */
  listing: unknown
  port = 0
  #answers: Answer[] = []
  #server: Server | undefined

  static async listen(port = 0): Promise<StandIn> {
    const standIn = new StandIn()
    await standIn.start(port)
    return standIn
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`
  }

  /** The body of the latest request. */
  get body(): Record<string, unknown> {
    return this.asked.at(-1)?.body ?? {}
  }

  /** Answers to the next requests, in order; the last one serves for all that follow. */
  will(...answers: Answer[]): this {
    this.#answers = answers
    this.asked.length = 0
    return this
  }

  /** A model behind it: see {@link will}. */
  model(answers: Answer | readonly Answer[], options: object = {}): Promise<Model> {
    return loadModel({ url: this.will(...[answers].flat()).url, ...options })
  }

  /** Begins anew. */
  async start(port = 0): Promise<void> {
    this.will()
    this.listing = { object: 'list', data: [{ id: 'big-model' }] }
    const server = createServer((request, response) => void this.#serve(request, response))
    server.on('connection', (socket) => {
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined)
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    this.#server = server
    this.port = (server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    server?.close()
    for (const socket of this.sockets) socket.destroy()
    if (server?.listening) await once(server, 'close')
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    if (request.method === 'GET' && request.url === '/v1/models') {
      answerJson(response, 200, this.listing)
      return
    }
    const text = Buffer.concat(parts).toString()
    const body = text ? (JSON.parse(text) as Record<string, unknown>) : {}
    const asked: Asked = { path: request.url ?? '', headers: request.headers, body, socket: request.socket }
    this.asked.push(asked)
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0]
    if (answer) await answer(response, asked)
    else answerJson(response, 404, { error: { message: 'no route' } })
  }
}

const answerJson = (response: ServerResponse, status: number, value: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** Has a fresh server for each test of a `describe`; the test's models are stopped after it. */
export const serveEachTest = (standIn: StandIn): void => {
  beforeEach(() => standIn.start())
  afterEach(async () => {
    await stopModels()
    await standIn.close()
  })
}

/** A server that accepts connections and never says a word, so that no secure connection comes about. */
export const listenSilently = async () => {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  }
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close }
}
