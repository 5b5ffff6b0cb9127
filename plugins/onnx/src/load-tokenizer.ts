import { failure } from '@sallyport/core'
import type { TensorSignature } from '@sallyport/core'
import { fixedShape } from './encoder/text-inputs.js'
import { evaluates, longestEvaluated } from './encoder/trials.js'
import type { ModelFolder } from './files/model-folder.js'
import { padToken } from './files/pad-token.js'
import { tokenLimit, tokenPositions } from './files/token-limit.js'
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
  const { limit, padded } = await lengths(input)
  const tokenizer = readTokenizer(folder, kind, limit)
  return { tokenizer, session: padded === undefined ? session : paddedTo(session, padded) }
}

/** @param limit tokens of the longest text @throws model_invalid */
export const readTokenizer = (folder: ModelFolder, { kind }: TextKind, limit: number): JsonTokenizer => {
  const { model } = folder
  const definition = folder.json('tokenizer.json')
  if (!definition)
    throw failure('model_invalid', { model, problem: 'it reads tokens: put its tokenizer.json beside the file' })
  const tokenizer = new JsonTokenizer({ model, definition, limit, padToken: padToken(folder) })
  const { size } = tokenizer.frames[kind === 'cross-encoder' ? 'pair' : 'single']
  if (limit <= size) throw failure('model_invalid', { model, problem: noRoom(limit, size) })
  return tokenizer
}

const noRoom = (limit: number, special: number) =>
  `its texts may have ${limit} tokens, of which ${special} are special ones: correct its files, or set contextLength`

/**
 * The longest text, in tokens, that the option, or else the files, allow; undefined where nothing tells.
 * @throws model_invalid where the option is above what the model is known to evaluate
 */
export const statedLimit = (
  folder: ModelFolder,
  inputs: readonly TensorSignature[],
  { contextLength }: Pick<OnnxOptions, 'contextLength'>,
): number | undefined => {
  const { tokens: fixed } = fixedShape(inputs)
  const most = Math.min(tokenPositions(folder) ?? Infinity, fixed ?? Infinity)
  if (contextLength !== undefined && contextLength > most) throw tooLongForGraph(folder, contextLength, most)
  const stated = contextLength ?? tokenLimit(folder) ?? fixed
  return stated === undefined ? undefined : Math.min(stated, most)
}

const tooLongForGraph = ({ model }: ModelFolder, contextLength: number, most: number) => {
  const problem =
    `its option contextLength is ${contextLength}, and it cannot evaluate texts of so many tokens: ` +
    `set it to ${most} or less, or leave it out`
  return failure('model_invalid', { model, problem })
}

interface Lengths {
  /** Most tokens of a text. */
  readonly limit: number
  /** What all texts are padded to. */
  readonly padded?: number
}

/** What files say of longer texts, and no option asks for, is not tried: that would take seconds, and gigabytes. */
const longestTrial = 2048

const lengths = async (input: TokenizerInput): Promise<Lengths> => {
  const { folder, session, options, pictures } = input
  const stated = statedLimit(folder, session.inputs, options)
  const { tokens: fixed } = fixedShape(session.inputs)
  const isKnown = fixed !== undefined || tokenPositions(folder) !== undefined
  const limit = stated !== undefined && isKnown ? stated : await triedLimit(input, stated)
  if (pictures === undefined || hasMask(session) || fixed !== undefined) return { limit }
  return { limit, padded: Math.max(limit, tokenLimit(folder) ?? (await longestOf(input))) }
}

/** Where no file tells the positions, only the graph does. */
const triedLimit = async (input: TokenizerInput, stated: number | undefined): Promise<number> => {
  const { folder, session, kind, options, pictures } = input
  const isAsked = options.contextLength !== undefined
  if (stated !== undefined && !isAsked && stated > longestTrial) return stated
  if (stated !== undefined && (await evaluates(stated, session, kind.output, pictures?.alongText))) return stated
  const longest = await longestOf(input)
  if (stated !== undefined && isAsked) throw tooLongForGraph(folder, stated, longest)
  return Math.min(longest, stated ?? Infinity)
}

const longestOf = async ({ folder, session, kind, pictures }: TokenizerInput): Promise<number> => {
  const longest = await longestEvaluated(session, kind.output, pictures?.alongText)
  if (longest !== undefined) return longest
  throw failure('model_invalid', { model: folder.model, problem: 'it fails at every text' })
}

/** A text tower without a mask sees the padding, and was trained with texts that are padded to its limit. */
const hasMask = ({ inputs }: Session): boolean => inputs.some(({ name }) => name === 'attention_mask')
