import type { OptionsOf, OptionsSchema } from '@sallyport/core'

const texts = { type: 'object', additionalProperties: { type: 'string' }, default: {} } as const

export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    metrics: { type: 'boolean', default: true, description: 'whether metrics are counted, for GET /metrics' },
    traces: {
      type: 'object',
      additionalProperties: false,
      required: ['endpoint'],
      description: 'sends traces to a collector; absent: none are made',
      properties: {
        endpoint: {
          type: 'string',
          pattern: '^https?://[^\\s?#]+$',
          title: 'an address such as http://localhost:4318, without a query',
          description: 'base address of a collector that takes OTLP over HTTP; /v1/traces is appended',
        },
        headers: { ...texts, description: 'headers of each export, such as an authorization' },
        sampleRatio: {
          type: 'number',
          minimum: 0,
          maximum: 1,
          default: 1,
          description: 'part of the traces that is kept; where a caller sends a traceparent, it has decided',
        },
      },
    },
    resource: {
      ...texts,
      description:
        'attributes of the server, such as deployment.environment.name; service.name is sallyport by default',
    },
  },
} as const satisfies OptionsSchema

export type TelemetryOptions = OptionsOf<typeof optionsSchema>

export type TraceOptions = NonNullable<TelemetryOptions['traces']>
