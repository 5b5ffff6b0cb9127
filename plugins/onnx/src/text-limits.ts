import { failure } from '@sallyport/core'
import type { TensorSignature } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { fixedShape } from './encoder/text-inputs.js'
import { evaluates, maxEvaluated } from './encoder/trials.js'
import type { ModelFolder } from './files/model-folder.js'
import { tokenLimit, tokenPositions } from './files/token-limit.js'
import type { TextKind } from './model-kind.js'
import type { OnnxOptions } from './options.js'
import type { Vision } from './vision.js'
import type { Session } from './session/ort-session.js'
import { readDefinition } from './text/definition.js'
import type { TokenizerDefinition } from './text/definition.js'

export interface TextLimitsInput {
  readonly folder: ModelFolder
  readonly session: Session
  readonly kind: TextKind
  readonly options: Pick<OnnxOptions, 'contextLength'>
  /** Of models that see. */
  readonly images: Vision | undefined
}

/** @param limit max tokens of a text @throws model_invalid */
export const readTokenizer = (folder: ModelFolder, { kind }: TextKind, limit: number): TokenizerDefinition => {
  const { model } = folder
  const definition = folder.json('tokenizer.json')
  if (!definition)
    throw failure('model_invalid', { model, problem: 'it reads tokens: put its tokenizer.json beside the file' })
  const tokenizer = readDefinition(model, definition, padToken(folder))
  const { size } = tokenizer.frames[kind === 'cross-encoder' ? 'pair' : 'single']
  if (limit <= size) throw failure('model_invalid', { model, problem: noRoom(limit, size) })
  return tokenizer
}

/** The text of the token for padding; undefined where tokenizer_config.json does not tell it. */
const padToken = (folder: ModelFolder): string | undefined => {
  const stated = folder.json('tokenizer_config.json')?.['pad_token']
  const text = isRecord(stated) ? stated['content'] : stated
  return typeof text === 'string' ? text : undefined
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

export interface TextLimits {
  /** Max tokens of a text. */
  readonly limit: number
  /** The model as it must be given texts. */
  readonly session: Session
}

/** What files say of longer texts, and no option asks for, is not tried: that would take seconds, and gigabytes. */
const maxTrial = 2048

/** As the option and the files say, or else as the graph turns out to evaluate. @throws model_invalid */
export const textLimits = async (input: TextLimitsInput): Promise<TextLimits> => {
  const { folder, session, options, images } = input
  const stated = statedLimit(folder, session.inputs, options)
  const { tokens: fixed } = fixedShape(session.inputs)
  const isKnown = fixed !== undefined || tokenPositions(folder) !== undefined
  const limit = stated !== undefined && isKnown ? stated : await triedLimit(input, stated)
  if (images === undefined || hasMask(session) || fixed !== undefined) return { limit, session }
  return { limit, session: paddedTo(session, Math.max(limit, tokenLimit(folder) ?? (await maxLengthOf(input)))) }
}

/** The same model as one whose file fixes the length of texts: all are padded to so many tokens. */
const paddedTo = (session: Session, tokens: number): Session => ({
  inputs: session.inputs.map((input) =>
    input.name === 'input_ids' ? { ...input, shape: [input.shape[0] ?? -1, tokens] } : input,
  ),
  outputs: session.outputs,
  run: (inputs, outputs) => session.run(inputs, outputs),
  release: () => session.release(),
})

/** Where no file tells the positions, only the graph does. */
const triedLimit = async (input: TextLimitsInput, stated: number | undefined): Promise<number> => {
  const { folder, session, kind, options, images } = input
  const isAsked = options.contextLength !== undefined
  if (stated !== undefined && !isAsked && stated > maxTrial) return stated
  if (stated !== undefined && (await evaluates(stated, session, kind.output, images?.alongText))) return stated
  const longest = await maxLengthOf(input)
  if (stated !== undefined && isAsked) throw tooLongForGraph(folder, stated, longest)
  return Math.min(longest, stated ?? Infinity)
}

const maxLengthOf = async ({ folder, session, kind, images }: TextLimitsInput): Promise<number> => {
  const longest = await maxEvaluated(session, kind.output, images?.alongText)
  if (longest !== undefined) return longest
  throw failure('model_invalid', { model: folder.model, problem: 'it fails at every text' })
}

/** A text tower without a mask sees the padding, and was trained with texts that are padded to its limit. */
const hasMask = ({ inputs }: Session): boolean => inputs.some(({ name }) => name === 'attention_mask')
