/** Spans that go to a collector. Imported only where traces are on, since it loads much. */

import { propagation, trace } from '@opentelemetry/api'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import type { TraceOptions } from './options.js'

/** Milliseconds that one export may take, attempts after failures included. */
const exportLimit = 5000

let installed: BasicTracerProvider | undefined

/**
 * Makes the process trace, until the result is called, which sends what is left. Of several kernels the latest one's
 * collector gets the spans.
 * @returns undefined where the program has an SDK of its own, which then traces
 */
export const startTraces = (
  { endpoint, headers, sampleRatio }: TraceOptions,
  resource: Readonly<Record<string, string>>,
  onError: (error: unknown) => void,
): (() => Promise<void>) | undefined => {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: exportLimit })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes(resource),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  if (installed) trace.disable()
  if (!trace.setGlobalTracerProvider(provider)) return undefined
  installed = provider
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  setGlobalErrorHandler(onError)
  return () => {
    if (installed === provider) uninstall()
    return provider.shutdown()
  }
}

const uninstall = (): void => {
  installed = undefined
  trace.disable()
  propagation.disable()
}
