/**
 * The process has one place for metrics, so kernels that live at the same time share it: what the first one has counted
 * goes on when a second one takes its place.
 */

import { metrics } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { PullReader, readText } from './prometheus.js'

interface SharedMetrics {
  readonly reader: PullReader
  users: number
}

let shared: SharedMetrics | undefined

/** The first of several users decides about the resource. */
export interface MetricsUse {
  readonly text: () => Promise<string>
  readonly release: () => void
}

/** @returns undefined where the program has an SDK of its own, which then counts */
export const useMetrics = (resource: Readonly<Record<string, string>>): MetricsUse | undefined => {
  const own = (shared ??= install(resource))
  if (!own) return undefined
  own.users += 1
  return {
    text: () => readText(own.reader),
    release: () => {
      own.users -= 1
      if (own.users) return
      shared = undefined
      metrics.disable()
    },
  }
}

const install = (resource: Readonly<Record<string, string>>): SharedMetrics | undefined => {
  const reader = new PullReader()
  const provider = new MeterProvider({ resource: resourceFromAttributes(resource), readers: [reader] })
  return metrics.setGlobalMeterProvider(provider) ? { reader, users: 0 } : undefined
}
