import type { OptionsOf, OptionsSchema } from '@sallyport/core'
import { labelsSchema, logitSchema, windowSchema } from '../option-schemas.js'
import { injectionFamilies } from '../rules/family.js'

export const injectionSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    model: {
      type: ['string', 'null'],
      description: 'Model with text-classification (guard). Without it: rules, and n-grams unless switched off.',
    },
    labels: labelsSchema({
      attack: { type: 'string', default: 'injection' },
      planted: {
        type: 'string',
        default: 'instruction',
        description:
          'Label of instructions planted in documents (indirect injection): its logit is added to that of `attack` in documents and results of tools.',
      },
    }),
    ngrams: {
      type: 'boolean',
      default: true,
      description: 'Whether the built-in n-grams are used, beside the model if there is one. Rules always are.',
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
      items: { enum: [...new Set(injectionFamilies.map(({ type }) => type))] },
      description: 'Families of rules that are not searched.',
    },
  },
} as const satisfies OptionsSchema

/** Under `models.<id>.options`. */
export type InjectionOptions = OptionsOf<typeof injectionSchema> & { readonly model?: string | null }
