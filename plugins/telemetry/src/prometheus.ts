/** The metrics of the process as text for Prometheus. */

import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { DataPointType, MetricReader } from '@opentelemetry/sdk-metrics'
import type { MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics'

/** Reads when it is asked; there is nothing to flush or to close. */
export class PullReader extends MetricReader {
  protected onForceFlush(): Promise<void> {
    return Promise.resolve()
  }

  protected onShutdown(): Promise<void> {
    return Promise.resolve()
  }
}

const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)

/** The present values, in Prometheus's text format. */
export const readText = async (reader: PullReader): Promise<string> => {
  const { resourceMetrics } = await reader.collect()
  const text = serializer.serialize(withUnits(resourceMetrics))
  return `${text.trimEnd()}\n${aliases(resourceMetrics)}`
}

/** Prometheus wants units in names; the serializer leaves them out. */
const suffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

const withUnits = ({ scopeMetrics, ...rest }: ResourceMetrics): ResourceMetrics => ({
  ...rest,
  scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({ scope, metrics: metrics.map(withUnit) })),
})

const withUnit = (metric: MetricData): MetricData => {
  const { name, unit } = metric.descriptor
  return { ...metric, descriptor: { ...metric.descriptor, name: name + (suffixes[unit] ?? '') } }
}

/** Names under which gateways for model servers look for the load; the serializer would replace their colon. */
const aliasOf: Readonly<Record<string, string>> = {
  'sallyport.requests.waiting': 'vllm:num_requests_waiting',
  'sallyport.requests.running': 'vllm:num_requests_running',
}

const aliases = ({ scopeMetrics }: ResourceMetrics): string =>
  scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .map((metric) => {
      const alias = aliasOf[metric.descriptor.name]
      if (alias === undefined || metric.dataPointType !== DataPointType.SUM) return ''
      const sum = metric.dataPoints.reduce((total, { value }) => total + value, 0)
      return `# HELP ${alias} ${metric.descriptor.description}\n# TYPE ${alias} gauge\n${alias} ${sum}\n`
    })
    .join('')
