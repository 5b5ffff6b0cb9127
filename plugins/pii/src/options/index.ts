import type { OptionsOf, OptionsSchema } from '@sallyport/core'
import { checksums } from '../checksums/index.js'
import { defaultThreshold } from '../matching/find.js'

/** The source of a pattern for names of entity types. */
export const entityName = '^[A-Z][A-Z0-9_]{1,45}$'

export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    model: {
      type: ['string', 'null'],
      description:
        'Model with token-classification that finds names and places (rampart), or the source of one: ' +
        '`hf:owner/repository`, or a folder. Without it, patterns only.',
    },
    labels: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'Entity types by the labels of another model, in any case, where they differ from the default labels. A GLiNER ' +
        'model that is named by its source is asked for them, too.',
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
              flags: {
                type: 'string',
                pattern: '^[is]{0,2}$',
                title: '"i", "s" or "is"',
                description: '`i` ignores case, `s` lets `.` match line breaks.',
              },
              context: { type: 'array', items: { type: 'string', minLength: 2 } },
              score: {
                type: 'number',
                minimum: 0,
                maximum: 1,
                description: 'Default: 0.6, found without context words.',
              },
              checksum: { enum: Object.keys(checksums) as (keyof typeof checksums)[] },
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
      description:
        'The secret from which replacements are derived; servers with the same one make the same replacements.',
    },
  },
} as const satisfies OptionsSchema

/** What a configuration sets under `models.<id>.options`. */
export type PiiOptions = OptionsOf<typeof optionsSchema> & { readonly model?: string | null }

/** A recogniser in the configuration. */
export type CustomRecognizer = Exclude<PiiOptions['recognizers'][number], string>
