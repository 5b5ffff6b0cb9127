import type { OptionsSchema } from '@sallyport/core'

/** Of one model, under `models.<id>.options`. */
export interface ApertiumOptions {
  /** A name on the PATH, or a path. */
  readonly program: string
  /** Its folder with `modes`. */
  readonly data: string
  /** Without the program, the model has no pairs, instead of failing to load. */
  readonly optional: boolean
  /** Pipelines that are kept for the next text, of all pairs. */
  readonly pipelines: number
  /** Texts that may wait for a pipeline; more are refused with `overloaded`. */
  readonly queue: number
  /** Seconds for the units of one text that are translated together, from the moment that its pipeline begins. */
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
