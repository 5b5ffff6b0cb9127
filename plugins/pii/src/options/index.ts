import type { OptionsSchema } from '@sallyport/core'
import { checksums } from '../checksums/index.js'
import { defaultThreshold } from '../matching/find.js'

/** A recogniser in the configuration. */
export interface CustomRecognizer {
  readonly entity: string
  readonly pattern: string
  /** Flags of the regular expression: `i` for either case. */
  readonly flags?: string
  readonly context?: readonly string[]
  /** 0.6 by default, so that matches are found without context. */
  readonly score?: number
  readonly checksum?: keyof typeof checksums
  readonly examples?: readonly string[]
  readonly counterExamples?: readonly string[]
}

/** What a configuration sets under `models.<id>.options`. */
export interface PiiOptions {
  /** A model with token-classification for names and places. Absent or null: patterns only. */
  readonly model?: string | null
  /** Entity types by the labels of another model. */
  readonly labels?: Readonly<Record<string, string>>
  readonly threshold: number
  /** Entity types that are not searched. */
  readonly ignore: readonly string[]
  readonly recognizers: readonly (CustomRecognizer | string)[]
  /** The secret that fakes are derived from. By default, one is generated at the first start and kept. */
  readonly key?: string
}

/** The source of a pattern for names of entity types. */
export const entityName = '^[A-Z][A-Z0-9_]{1,45}$'

export const optionsSchema: OptionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    model: {
      type: ['string', 'null'],
      description: 'Model with token-classification that finds names and places (rampart). Without it, patterns only.',
    },
    labels: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Entity types by the labels of another model, where they are not the usual ones.',
    },
    threshold: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: defaultThreshold,
      description: 'Findings with a lower score are not reported.',
    },
    ignore: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      description: 'Entity types that are not looked for, such as DATE_TIME.',
    },
    recognizers: {
      type: 'array',
      default: [],
      description: 'Further recognisers, or paths of modules that export them.',
      items: {
        anyOf: [
          { type: 'string', minLength: 1 },
          {
            type: 'object',
            additionalProperties: false,
            required: ['entity', 'pattern'],
            properties: {
              entity: {
                type: 'string',
                pattern: entityName,
                title: 'a name of 2 to 46 capitals, digits and _, such as CASE_NUMBER',
              },
              pattern: { type: 'string', minLength: 1, maxLength: 2000 },
              flags: { type: 'string', pattern: '^[is]{0,2}$', title: '"i", "s" or "is"' },
              context: { type: 'array', items: { type: 'string', minLength: 2 } },
              score: { type: 'number', minimum: 0, maximum: 1 },
              checksum: { enum: Object.keys(checksums) },
              examples: { type: 'array', items: { type: 'string' } },
              counterExamples: { type: 'array', items: { type: 'string' } },
            },
          },
        ],
      },
    },
    key: {
      type: 'string',
      minLength: 16,
      description: 'Secret that fakes are made from; servers with the same one make the same fakes.',
    },
  },
}
