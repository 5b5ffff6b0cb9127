/**
 * What the kernel measures, by OpenTelemetry's API: nothing is kept until a plugin installs its SDK. Attributes are
 * names of the configuration and of checks, codes of errors and numbers, never texts of users.
 */

import { context, metrics, propagation, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Attributes, Context, Meter, MeterProvider, ObservableResult } from '@opentelemetry/api'
import { chat, completion, embedding, isSallyportError, tools } from '@sallyport/core'
import type { Call, CallOptions, ErrorOrigin, Verdict } from '@sallyport/core'

/** The revision of OpenTelemetry's semantic conventions from which the names and buckets of `gen_ai` are. */
export const semanticConventions = '1.37.0'

const scope = '@sallyport/kernel'
const schemaUrl = `https://opentelemetry.io/schemas/${semanticConventions}`

const tracer = () => trace.getTracerProvider().getTracer(scope, undefined, { schemaUrl })

/** Upper bounds of buckets, in seconds, from the conventions; those of checks and loads are our own. */
const buckets = {
  request: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  firstToken: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  outputToken: [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5],
  check: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  load: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250],
}
/** Upper bounds of the buckets of tokens: powers of four. */
const tokenBuckets = Array.from({ length: 14 }, (_, power) => 4 ** power)

/** What holds now; read when metrics are read, since counting here costs less than a record of the SDK. */
const now = { running: new Map<string, number>(), memory: new Map<string, number>(), waiting: 0 }

const addTo = (sums: Map<string, number>, model: string, change: number): void =>
  void sums.set(model, (sums.get(model) ?? 0) + change)

const observeNow = (meter: Meter): void => {
  const observe = (name: string, description: string, unit: string, read: (result: ObservableResult) => void) =>
    meter.createObservableUpDownCounter(name, { description, unit }).addCallback(read)
  const byModel = (sums: ReadonlyMap<string, number>) => (result: ObservableResult) => {
    for (const [model, sum] of sums) result.observe(sum, { 'gen_ai.request.model': model })
  }
  observe('sallyport.model.running', 'Calls that run.', '{call}', byModel(now.running))
  observe(
    'sallyport.model.memory',
    'Memory that is reserved for loaded models and their processes, as it is estimated.',
    'By',
    byModel(now.memory),
  )
  observe('sallyport.model.waiting', 'Requests that wait for room in memory for their models.', '{request}', (result) =>
    result.observe(now.waiting),
  )
}

const createInstruments = (provider: MeterProvider) => {
  const meter = provider.getMeter(scope, undefined, { schemaUrl })
  const seconds = (name: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries } })
  observeNow(meter)
  const droppedLines = meter.createCounter('sallyport.log.dropped_lines', {
    description: 'Lines of the log that were dropped because they could not be written.',
    unit: '{line}',
  })
  droppedLines.add(0)
  return {
    droppedLines,
    duration: seconds(
      'gen_ai.server.request.duration',
      'Time of calls of models, with their safeguards.',
      buckets.request,
    ),
    firstToken: seconds(
      'gen_ai.server.time_to_first_token',
      'Time until the first part of an answer has passed the safeguards.',
      buckets.firstToken,
    ),
    outputToken: seconds(
      'gen_ai.server.time_per_output_token',
      'Time per token of an answer after the first.',
      buckets.outputToken,
    ),
    tokens: meter.createHistogram('gen_ai.client.token.usage', {
      description: 'Tokens of requests and of answers.',
      unit: '{token}',
      advice: { explicitBucketBoundaries: tokenBuckets },
    }),
    verdicts: meter.createCounter('sallyport.check.verdicts', {
      description: 'Verdicts of checks.',
      unit: '{verdict}',
    }),
    checkDuration: seconds('sallyport.check.duration', 'Time that detectors took for a verdict.', buckets.check),
    loadDuration: seconds('sallyport.model.load.duration', 'Time of loads of models.', buckets.load),
    unloads: meter.createCounter('sallyport.model.unloads', {
      description: 'How often models were unloaded.',
      unit: '{unload}',
    }),
    restarts: meter.createCounter('sallyport.model.restarts', {
      description: 'Attempts to start the process of a model again.',
      unit: '{restart}',
    }),
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

export const countDroppedLine = (): void => instruments().droppedLines.add(1)

export const countRestarts = (model: string, restarts: number): void =>
  instruments().restarts.add(restarts, { 'gen_ai.request.model': model })

/** @param requests how many begin to wait for room; negative: cease */
export const countWaiting = (requests: number): void => void (now.waiting += requests)

/** @param bytes negative: they are free again */
export const countMemory = (model: string, bytes: number): void => addTo(now.memory, model, bytes)

export const countUnload = (model: string): void => instruments().unloads.add(1, { 'gen_ai.request.model': model })

export const measureLoad = async (model: string, load: () => Promise<void>): Promise<void> => {
  const started = performance.now()
  const attributes: Attributes = { 'gen_ai.request.model': model }
  try {
    await load()
  } catch (error) {
    attributes['error.type'] = errorType(error)
    throw error
  } finally {
    instruments().loadDuration.record(secondsSince(started), attributes)
  }
}

/** The place in a trace that headers tell, within this process. */
const contextOf = (headers: Call['trace']): Context => {
  const parent = context.active()
  const span = headers && trace.getSpanContext(propagation.extract(parent, headers))
  return span ? trace.setSpanContext(parent, { ...span, isRemote: false }) : parent
}

const withTrace = (call: Call, place: Context): Call => {
  const headers: Record<string, string> = {}
  propagation.inject(place, headers)
  return Object.keys(headers).length ? { ...call, trace: headers } : call
}

/** Records verdicts as parts of the call. */
export const verdictRecorder = ({ trace: headers }: Call): ((verdict: Verdict) => void) => {
  const parent = contextOf(headers)
  return ({ check, stage, policy, verdict, mode, latency }) => {
    const named = { check, stage, ...(policy !== undefined && { policy }) }
    instruments().checkDuration.record(latency / 1000, named)
    instruments().verdicts.add(1, { ...named, verdict, mode })
    const endTime = Date.now()
    const attributes = { ...named, verdict, mode }
    tracer()
      .startSpan(`check ${check}`, { startTime: endTime - latency, attributes }, parent)
      .end(endTime)
  }
}

/** Names of the conventions; other capabilities have their own. */
const operations: Readonly<Record<string, string>> = {
  [chat.name]: 'chat',
  [completion.name]: 'text_completion',
  [embedding.name]: 'embeddings',
  [`${tools.name}.call`]: 'execute_tool',
}

type ReportUsage = NonNullable<CallOptions['onUsage']>

/** A call of a model, from its start until `end`. */
export class ObservedCall {
  private readonly started = performance.now()
  private readonly model: string
  private readonly attributes: Attributes
  private readonly span
  /** The call, whose trace is now at its span. */
  readonly call: Call
  private firstTokenAfter: number | undefined
  private outputTokens = 0
  private errorType: string | undefined = 'client_closed'

  constructor(capability: string, method: string, { plugin, model }: ErrorOrigin, call: Call) {
    const operation = operations[`${capability}.${method}`] ?? operations[capability] ?? capability
    this.attributes = {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': plugin,
      'gen_ai.request.model': model,
    }
    this.model = model
    const parent = contextOf(call.trace)
    this.span = tracer().startSpan(`${operation} ${model}`, { attributes: this.attributes }, parent)
    this.call = withTrace(call, trace.setSpan(parent, this.span))
    addTo(now.running, model, 1)
  }

  /** A part of a generated answer leaves. */
  token(): void {
    this.firstTokenAfter ??= secondsSince(this.started)
  }

  /** Counts the tokens, and passes them on. */
  usage(report: ReportUsage | undefined): ReportUsage {
    return (usage) => {
      const { promptTokens, completionTokens } = usage
      this.count('input', promptTokens)
      if (completionTokens !== undefined) this.count('output', (this.outputTokens = completionTokens))
      report?.(usage)
    }
  }

  succeed(): void {
    this.errorType = undefined
  }

  /** @returns the error */
  fail(error: unknown): unknown {
    this.errorType = errorType(error)
    return error
  }

  /** Without `succeed` or `fail` before it, whoever reads the answer has left. */
  end(): void {
    const { attributes, errorType, firstTokenAfter, outputTokens } = this
    const seconds = secondsSince(this.started)
    const { duration, firstToken, outputToken } = instruments()
    addTo(now.running, this.model, -1)
    duration.record(seconds, errorType === undefined ? attributes : { ...attributes, 'error.type': errorType })
    if (firstTokenAfter !== undefined) firstToken.record(firstTokenAfter, attributes)
    if (firstTokenAfter !== undefined && outputTokens > 1)
      outputToken.record((seconds - firstTokenAfter) / (outputTokens - 1), attributes)
    if (errorType !== undefined)
      this.span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR })
    this.span.end()
  }

  private count(type: 'input' | 'output', tokens: number): void {
    instruments().tokens.record(tokens, { ...this.attributes, 'gen_ai.token.type': type })
    this.span.setAttribute(`gen_ai.usage.${type}_tokens`, tokens)
  }
}

const secondsSince = (started: number): number => (performance.now() - started) / 1000

const errorType = (error: unknown): string => (isSallyportError(error) ? error.code : 'internal')
