import { definePlugin } from '@sallyport/core'
import { optionsSchema } from './options.js'
import { Telemetry } from './telemetry.js'

export type { TelemetryOptions } from './options.js'

/** Metrics for Prometheus and traces by OTLP, of what the other packages measure by OpenTelemetry's API. */
export default definePlugin({
  name: '@sallyport/telemetry',
  section: 'telemetry',
  options: optionsSchema,
  services: [Telemetry],
})
