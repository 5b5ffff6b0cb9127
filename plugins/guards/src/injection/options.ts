import type { OptionsOf, OptionsSchema } from '@sallyport/core'
import { calibrationSchema, labelsSchema, logitSchema, unmeasured, windowSchema } from '../option-schemas.js'
import { injectionFamilies } from '../rules/family.js'

export const injectionSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    model: {
      type: ['string', 'null'],
      description:
        'Model with text-classification (guard), or the source of one: `hf:owner/repository`, or a folder. Without it: ' +
        'rules, and n-grams unless switched off.',
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
      description:
        'Whether the built-in n-grams are used, beside the model if there is one. Rules always are. Default: true, ' +
        'but beside a model other than guard.',
    },
    operatingPoint: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description:
        'Where the score is 0.5, in logits: higher means fewer false alarms. Default: 0.9, 2.75 and -3 with the model guard, which were ' +
        `measured (README.md). ${unmeasured}`,
      properties: { prompt: logitSchema, system: logitSchema, document: logitSchema },
    },
    calibration: calibrationSchema,
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

const measuredPoints = { prompt: 0.9, system: 2.75, document: -3 }
const pointsWithoutModel = { prompt: 0.75, system: 2.75, document: 0 }
const unmeasuredPoints = { prompt: 0, system: 0, document: 0 }

/** @param isOwn whether the model is `guard` */
export const withDefaults = (options: InjectionOptions, isOwn: boolean) => {
  const isUnmeasured = Boolean(options.model) && !isOwn
  const points = isUnmeasured ? unmeasuredPoints : options.model ? measuredPoints : pointsWithoutModel
  return {
    ...options,
    /** Whether nothing was measured with the model. */
    isUnmeasured,
    ngrams: options.ngrams ?? !isUnmeasured,
    operatingPoint: { ...points, ...options.operatingPoint },
  }
}

/** Options without gaps. */
export type InjectionSettings = ReturnType<typeof withDefaults>
