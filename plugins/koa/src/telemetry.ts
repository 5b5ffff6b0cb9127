/**
 * What the adapter measures, by OpenTelemetry's API: nothing is kept until a plugin installs its SDK. Attributes are
 * routes, models, methods and codes, never paths or texts of users.
 */

import type { IncomingMessage } from 'node:http'
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { MeterProvider, ObservableResult } from '@opentelemetry/api'
import type { CallOptions, ErrorCode } from '@sallyport/core'

const scope = '@sallyport/koa'

/** Upper bounds of buckets, in seconds: those of the conventions for HTTP, and longer ones, since models take long. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 25, 50, 100]

/** The methods of the conventions; others count as one. */
const methods = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'])

/** What holds now; read when metrics are read, since counting here costs less than a record of the SDK. */
const now = { active: new Map<string, number>(), waiting: 0, running: 0 }

const countActive = (method: string, change: number): void =>
  void now.active.set(method, (now.active.get(method) ?? 0) + change)

const createInstruments = (provider: MeterProvider) => {
  const meter = provider.getMeter(scope)
  const seconds = (name: string, description: string) =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: requestBuckets } })
  const observe = (name: string, description: string, read: (result: ObservableResult) => void) =>
    meter.createObservableUpDownCounter(name, { description, unit: '{request}' }).addCallback(read)
  observe('sallyport.requests.waiting', 'Requests that wait for their turn.', (result) => result.observe(now.waiting))
  observe('sallyport.requests.running', 'Requests that have their turn.', (result) => result.observe(now.running))
  observe('http.server.active_requests', 'HTTP requests that are not answered yet.', (result) => {
    for (const [method, requests] of now.active) result.observe(requests, { 'http.request.method': method })
  })
  return {
    wait: seconds('sallyport.requests.wait.duration', 'Time that requests waited for their turn.'),
    duration: seconds('http.server.request.duration', 'Time of HTTP requests.'),
  }
}

let created:
  { readonly provider: MeterProvider; readonly instruments: ReturnType<typeof createInstruments> } | undefined

/** The instruments of the SDK that is installed now: instruments of the API alone never begin to count. */
const instruments = () => {
  const provider = metrics.getMeterProvider()
  if (created?.provider !== provider) created = { provider, instruments: createInstruments(provider) }
  return created.instruments
}

const tracer = () => trace.getTracerProvider().getTracer(scope)

/** What became of a request. */
export interface Outcome {
  /** The pattern; absent where no route matched. */
  readonly route: string | undefined
  readonly status: number
  readonly model: string | undefined
  /** The code of the error, where there was one. */
  readonly code: ErrorCode | undefined
}

/** A request from its head to the end of its answer. A trace that the client has begun goes on. */
export class ObservedRequest {
  private readonly started = performance.now()
  private readonly method: string
  private readonly span
  private readonly context
  /** What calls of models get, so that their spans stand below this one. */
  readonly trace: CallOptions['trace']

  constructor({ method = '', headers }: IncomingMessage) {
    this.method = methods.has(method) ? method : '_OTHER'
    const parent = propagation.extract(context.active(), headers)
    this.span = tracer().startSpan(this.method, { kind: SpanKind.SERVER }, parent)
    this.context = trace.setSpan(parent, this.span)
    const own: Record<string, string> = {}
    propagation.inject(this.context, own)
    this.trace = Object.keys(own).length ? own : undefined
    countActive(this.method, 1)
  }

  /** A wait for a turn. @param isQueued whether it has to wait at all @returns ends the wait */
  wait(isQueued: boolean): () => void {
    const started = performance.now()
    const span = isQueued ? tracer().startSpan('queue', {}, this.context) : undefined
    now.waiting += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      now.waiting -= 1
      instruments().wait.record((performance.now() - started) / 1000)
      span?.end()
    }
  }

  end({ route, status, model, code }: Outcome): void {
    const attributes = {
      'http.request.method': this.method,
      'http.response.status_code': status,
      ...(route !== undefined && { 'http.route': route }),
      ...(model !== undefined && { 'gen_ai.request.model': model }),
      ...(code !== undefined && { 'error.type': code }),
    }
    countActive(this.method, -1)
    instruments().duration.record((performance.now() - this.started) / 1000, attributes)
    if (route !== undefined) this.span.updateName(`${this.method} ${route}`)
    if (status >= 500) this.span.setStatus({ code: SpanStatusCode.ERROR })
    this.span.setAttributes(attributes).end()
  }
}

export const observeTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  now.running += 1
  try {
    return await work()
  } finally {
    now.running -= 1
  }
}
