import type { OptionsSchema } from '@sallyport/core'
import { labelsSchema, logitSchema, windowSchema } from '../option-schemas.js'
import { injectionFamilies } from '../rules/family.js'

/** Under `models.<id>.options`. */
export interface InjectionOptions {
  /** A model with text-classification. Absent or null: n-grams and rules only. */
  readonly model?: string | null
  /** The model's labels for an attack and, where it has one, for an instruction planted in a document. */
  readonly labels: { readonly attack: string; readonly planted: string }
  /** Whether the built-in n-grams are used, too. */
  readonly ngrams: boolean
  /** Logits at which the score is 0.5. */
  readonly operatingPoint: { readonly prompt: number; readonly system: number; readonly document: number }
  readonly window: { readonly length: number; readonly stride: number }
  /** Families of rules that are not searched. */
  readonly ignore: readonly string[]
}

export const injectionSchema: OptionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    model: {
      type: ['string', 'null'],
      description: 'Model with text-classification (guard). Without it, n-grams and rules only.',
    },
    labels: labelsSchema({
      attack: { type: 'string', default: 'injection' },
      planted: { type: 'string', default: 'instruction' },
    }),
    ngrams: {
      type: 'boolean',
      default: true,
      description:
        'Whether the built-in n-grams are used beside the model. Without a model, they decide by themselves.',
    },
    operatingPoint: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'Where the score is 0.5, in logits: higher means fewer false alarms. Measured values: README.md.',
      properties: {
        prompt: { ...logitSchema, default: 1.1 },
        system: { ...logitSchema, default: 3 },
        document: { ...logitSchema, default: 2.5 },
      },
    },
    window: windowSchema,
    ignore: {
      type: 'array',
      default: [],
      items: { enum: [...new Set(injectionFamilies.map(({ id }) => id))] },
      description: 'Families of rules that are not searched.',
    },
  },
}
