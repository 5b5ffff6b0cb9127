import type { OptionsOf, OptionsSchema } from '@sallyport/core'

export const apertiumOptionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    program: {
      type: 'string',
      default: 'apertium',
      description: 'The program apertium: a name on the PATH, or a path.',
    },
    data: { type: 'string', default: '/usr/share/apertium', description: "Apertium's data, with the folder `modes`." },
    optional: {
      type: 'boolean',
      default: false,
      description: 'Where the program or its pairs are missing, the model has no pairs, instead of failing to load.',
    },
    pipelines: {
      type: 'integer',
      minimum: 1,
      maximum: 64,
      default: 4,
      description: 'The maximum of pipelines of programs; each stays for the next text and takes some 20 MB.',
    },
    queue: {
      type: 'integer',
      minimum: 0,
      default: 64,
      description: 'The maximum of texts that wait for a pipeline; more are refused as overloaded.',
    },
    timeout: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 3600,
      default: 30,
      description: 'Seconds that one text may take once its turn has come; its pipeline is ended then.',
    },
  },
} as const satisfies OptionsSchema

/** Options of one model, under `models.<id>.options`. */
export type ApertiumOptions = OptionsOf<typeof apertiumOptionsSchema>
