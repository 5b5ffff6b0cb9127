import type { OptionsSchema } from '@sallyport/core'

/** Options of one model, under `models.<id>.options`; the schema says what each is. */
export interface ApertiumOptions {
  readonly program: string
  readonly data: string
  readonly optional: boolean
  readonly pipelines: number
  readonly queue: number
  readonly timeout: number
}

export const apertiumOptionsSchema: OptionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    program: { type: 'string', default: 'apertium', description: 'A name on the PATH, or a path.' },
    data: { type: 'string', default: '/usr/share/apertium', description: 'Its folder with the folder modes.' },
    optional: {
      type: 'boolean',
      default: false,
      description: 'Where the program or its pairs are missing, the model has none, instead of failing to load.',
    },
    pipelines: {
      type: 'integer',
      minimum: 1,
      maximum: 64,
      default: 4,
      description: 'Pipelines of programs that run at the same time, and wait for the next text; some 20 MB each.',
    },
    queue: {
      type: 'integer',
      minimum: 0,
      default: 64,
      description: 'Texts that may wait for a pipeline; more are refused as overloaded.',
    },
    timeout: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 3600,
      default: 30,
      description: 'Seconds that one text may take once its turn has come; its pipeline is ended then.',
    },
  },
}
