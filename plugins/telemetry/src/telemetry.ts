import { setTimeout as sleep } from 'node:timers/promises'
import { inject, injectable, logger, options, provideMetrics } from '@sallyport/core'
import type { Logger, MetricsText, Service } from '@sallyport/core'
import type { TelemetryOptions } from './options.js'
import { useMetrics } from './process-metrics.js'
import type { MetricsUse } from './process-metrics.js'

/** Milliseconds between two lines of the log about exports that failed. */
const complaintInterval = 60_000
/** Milliseconds that the last export may take. */
const stopLimit = 3000

/** Installs OpenTelemetry's SDK, for as long as the kernel lives. */
@injectable()
export class Telemetry implements Service {
  static readonly summary = 'counts and traces by OpenTelemetry'

  private metrics: MetricsUse | undefined
  private stopTraces: (() => Promise<void>) | undefined
  private lastComplaint = -Infinity

  /** Metrics count from here, before anything is loaded. */
  constructor(
    @inject(options) private readonly options: TelemetryOptions,
    @inject(logger) private readonly logger: Logger,
    @inject(provideMetrics) provide: (text: MetricsText) => void,
  ) {
    if (!options.metrics) return
    this.metrics = useMetrics(this.resource)
    if (this.metrics) provide(this.metrics.text)
    else this.warnOfOther('metrics')
  }

  async start(): Promise<void> {
    const { traces } = this.options
    if (!traces) return
    const { startTraces } = await import('./traces.js')
    this.stopTraces = startTraces(traces, this.resource, (error) => this.complain(error))
    if (!this.stopTraces) this.warnOfOther('traces')
  }

  async stop(): Promise<void> {
    const { metrics, stopTraces } = this
    this.metrics = undefined
    this.stopTraces = undefined
    metrics?.release()
    if (!stopTraces) return
    const isSent = await Promise.race([stopTraces().then(() => true), sleep(stopLimit, false, { ref: false })])
    if (!isSent) this.complain()
  }

  private get resource(): Readonly<Record<string, string>> {
    return { 'service.name': 'sallyport', ...this.options.resource }
  }

  private complain(error?: unknown): void {
    if (performance.now() - this.lastComplaint < complaintInterval) return
    this.lastComplaint = performance.now()
    const { endpoint } = this.options.traces ?? {}
    this.logger.warn({ endpoint, error }, 'spans could not be sent to the collector, and are lost')
  }

  private warnOfOther(what: 'metrics' | 'traces'): void {
    this.logger.warn({}, `an OpenTelemetry SDK of this program is installed already: it gets the ${what}`)
  }
}
