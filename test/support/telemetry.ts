/** What tests of metrics and traces need: a server that hears what it is sent, and readers of what it heard. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'

/** A server of this process that hears what it is sent, and answers as the function says. */
export interface Listener {
  readonly url: string
  readonly bodies: string[]
  readonly headers: IncomingHttpHeaders[]
  readonly server: Server
}

export const listen = async (
  answer: (path: string) => { readonly type: string; readonly body: string },
): Promise<Listener> => {
  const [bodies, headers]: [string[], IncomingHttpHeaders[]] = [[], []]
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'POST') {
        bodies.push(body)
        headers.push(request.headers)
      }
      const { type, body: sent } = answer(request.url ?? '')
      response.writeHead(200, { 'content-type': type }).end(sent)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, headers, server }
}

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}

interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}

export const spansOf = ({ bodies }: Listener): Span[] =>
  bodies
    .map((body) => JSON.parse(body) as Export)
    .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))

/** A sample in Prometheus’s text format. */
export const samplePattern =
  /^[a-zA-Z_:][\w:]*(?:\{[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*"(?:,[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*")*\})? (?:[+-]?Inf|NaN|-?[\d.]+(?:e[+-]?\d+)?)$/

/** The value of the only sample with this name whose labels have these values. */
export const valueOf = (
  metrics: string,
  name: string,
  labels: Readonly<Record<string, string | number>> = {},
): number => {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const found = metrics
    .split('\n')
    .filter((line) => line.split(/[ {]/, 1)[0] === name && wanted.every((label) => line.includes(label)))
  expect(found, `${name} ${wanted.join()} in\n${metrics}`).to.have.length(1)
  return Number(found[0]!.split(' ').at(-1))
}

/** Names of metrics, as their types declare them. */
export const namesIn = (metrics: string): string[] =>
  Array.from(metrics.matchAll(/^# TYPE (\S+)/gm), ([, name = '']) => name).filter((name) => name !== 'target_info')
