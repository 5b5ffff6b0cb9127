import { failure } from '@sallyport/core'
import type { ModelFiles } from '../files/model-files.js'
import type { OnnxOptions } from '../options.js'
import type { TokenizerDefinition } from '../text/tokenizer-definition.js'

/** How a GLiNER model is asked. Spans of up to `maxWidth` words get a score for each label. */
export interface SpanSettings {
  readonly labels: readonly string[]
  /** The longest span, in words. */
  readonly maxWidth: number
  /** The most words that the model was trained to read at once. */
  readonly maxWords: number
  /** The tokens before each label, and between the labels and the text. */
  readonly labelId: number
  readonly separatorId: number
}

/** What publishers' configurations leave out, as the gliner library has it. */
const defaults = { max_width: 12, max_len: 384, ent_token: '<<ENT>>', sep_token: '<<SEP>>' }

const defaultLabels = ['person', 'location', 'organization']

/** @throws model_invalid where the tokenizer lacks the tokens of the prompt */
export const spanSettings = (
  files: ModelFiles,
  { idOf }: TokenizerDefinition,
  { labels = defaultLabels }: Pick<OnnxOptions, 'labels'>,
): SpanSettings => {
  const config: Readonly<Record<string, unknown>> = { ...defaults, ...files.json('gliner_config.json') }
  const idOfToken = (token: string): number => {
    const id = idOf(token)
    if (id !== undefined) return id
    const problem = `its tokenizer.json has no token ${token.slice(0, 40)}: take the one that was published with the model`
    throw failure('model_invalid', { model: files.model, problem })
  }
  return {
    labels,
    maxWidth: positive(config.max_width) ?? defaults.max_width,
    maxWords: positive(config.max_len) ?? defaults.max_len,
    labelId: idOfToken(String(config.ent_token)),
    separatorId: idOfToken(String(config.sep_token)),
  }
}

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
