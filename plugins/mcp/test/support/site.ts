/** A tool server over streamable HTTP that does as it is told; without the library, which would not let it. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { atEnd } from './kernels.js'

export interface Asked {
  readonly id?: number
  readonly method: string
  readonly params: {
    readonly name?: string
    readonly arguments?: { readonly text?: string }
    readonly requestId?: number
  }
  readonly request: IncomingMessage
}

/** Answers in the place of what an honest server would do. */
export type Answer = (response: ServerResponse, asked: Asked) => unknown

export interface Site {
  readonly host: string
  readonly url: string
  readonly asked: Asked[]
  /** Answers to these methods (`GET` and `DELETE` among them); the rest is honest. */
  answers: Record<string, Answer>
  /** Connections that stand. */
  readonly connections: () => Promise<number>
  readonly stop: () => Promise<void>
}

export const sendJson = (response: ServerResponse, message: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(message))
}

export const result = (response: ServerResponse, { id }: Asked, given: object): void =>
  sendJson(response, { jsonrpc: '2.0', id, result: given })

export const echoTool = { name: 'echo', description: 'Repeats.', inputSchema: { type: 'object' } }

const honest: Record<string, Answer> = {
  initialize: (response, asked) =>
    result(response, asked, {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'stand-in', version: '1' },
    }),
  'tools/list': (response, asked) => result(response, asked, { tools: [echoTool] }),
  'tools/call': (response, asked) =>
    result(response, asked, { content: [{ type: 'text', text: asked.params.arguments?.text ?? '' }] }),
  GET: (response) => response.writeHead(405).end(),
  DELETE: (response) => response.writeHead(200).end(),
}

const accepted: Answer = (response) => response.writeHead(202).end()

export const startSite = async (answers: Record<string, Answer> = {}, port = 0): Promise<Site> => {
  const server = createServer((request, response) => {
    void (async () => {
      const body = request.method === 'POST' ? ((await json(request)) as Omit<Asked, 'request'>) : undefined
      const asked: Asked = { method: request.method ?? '', params: {}, ...body, request }
      site.asked.push(asked)
      await (site.answers[asked.method] ?? honest[asked.method] ?? accepted)(response, asked)
    })().catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  atEnd(stop)
  const site: Site = { host, url: `http://${host}/mcp`, asked: [], answers, connections, stop }
  return site
}
