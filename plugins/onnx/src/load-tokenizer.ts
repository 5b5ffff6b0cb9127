import { failure } from '@sallyport/core'
import { fixedShape } from './encoder/text-inputs.js'
import { longestEvaluated } from './encoder/trials.js'
import type { ModelFolder } from './files/model-folder.js'
import { padToken } from './files/pad-token.js'
import { tokenLimit } from './files/token-limit.js'
import type { TextKind } from './model-kind.js'
import type { OnnxOptions } from './options.js'
import { paddedTo } from './padded-session.js'
import type { Pictures } from './pictures.js'
import type { Session } from './session/session.js'
import { JsonTokenizer } from './text/json-tokenizer.js'

export interface TokenizerInput {
  readonly folder: ModelFolder
  readonly session: Session
  readonly kind: TextKind
  readonly options: Pick<OnnxOptions, 'contextLength'>
  /** Of models that see. */
  readonly pictures: Pictures | undefined
}

export interface LoadedTokenizer {
  readonly tokenizer: JsonTokenizer
  /** The model as it must be given the tokenizer's texts. */
  readonly session: Session
}

/** @throws model_invalid */
export const loadTokenizer = async (input: TokenizerInput): Promise<LoadedTokenizer> => {
  const { folder, session, kind } = input
  const { model } = folder
  const definition = folder.json('tokenizer.json')
  if (!definition)
    throw failure('model_invalid', { model, problem: 'it reads tokens: put its tokenizer.json beside the file' })
  const { limit, padded } = await lengths(input)
  const tokenizer = new JsonTokenizer({ model, definition, limit, padToken: padToken(folder) })
  const { size } = tokenizer.frames[kind.kind === 'cross-encoder' ? 'pair' : 'single']
  if (limit <= size) throw failure('model_invalid', { model, problem: noRoom(limit, size) })
  return { tokenizer, session: padded === undefined ? session : paddedTo(session, padded) }
}

const noRoom = (limit: number, special: number) =>
  `its texts may have ${limit} tokens, of which ${special} are special ones: correct its files, or set contextLength`

interface Lengths {
  /** Most tokens of a text. */
  readonly limit: number
  /** What all texts are padded to. */
  readonly padded?: number
}

const lengths = async ({ folder, session, kind, options, pictures }: TokenizerInput): Promise<Lengths> => {
  const { contextLength } = options
  const isPadded = pictures !== undefined && !hasMask(session)
  const found =
    tokenLimit(folder) ??
    (isPadded || contextLength === undefined
      ? await longestEvaluated(session, kind.output, pictures?.alongText)
      : undefined)
  const wanted = contextLength ?? found
  if (wanted === undefined) throw failure('model_invalid', { model: folder.model, problem: 'it fails at every text' })
  const fixed = fixedShape(session.inputs).tokens ?? Infinity
  const limit = Math.min(wanted, fixed)
  return { limit, ...(isPadded && fixed === Infinity && { padded: Math.max(limit, found ?? limit) }) }
}

/** A text tower without a mask sees the padding, and was trained with texts that are padded to its limit. */
const hasMask = ({ inputs }: Session): boolean => inputs.some(({ name }) => name === 'attention_mask')
