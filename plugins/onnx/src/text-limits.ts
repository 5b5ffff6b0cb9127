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
  /** Present where the model reads images. */
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
  if (limit <= size) throw failure('model_invalid', { model, problem: noRoomProblem(limit, size) })
  return tokenizer
}

/** The text of the padding token; undefined where tokenizer_config.json does not state it. */
const padToken = (folder: ModelFolder): string | undefined => {
  const stated = folder.json('tokenizer_config.json')?.['pad_token']
  const text = isRecord(stated) ? stated['content'] : stated
  return typeof text === 'string' ? text : undefined
}

const noRoomProblem = (limit: number, special: number) =>
  `its texts may have ${limit} tokens, of which ${special} are special ones: correct its files, or set contextLength`

/**
 * The token limit of a text, as the option or else the files state it; undefined where neither does.
 * @throws model_invalid where the option is above what the model is known to evaluate
 */
export const statedLimit = (
  folder: ModelFolder,
  inputs: readonly TensorSignature[],
  { contextLength }: Pick<OnnxOptions, 'contextLength'>,
): number | undefined => {
  const { tokens: fixed } = fixedShape(inputs)
  const max = Math.min(tokenPositions(folder) ?? Infinity, fixed ?? Infinity)
  if (contextLength !== undefined && contextLength > max) throw tooLongForGraph(folder, contextLength, max)
  const stated = contextLength ?? tokenLimit(folder) ?? fixed
  return stated === undefined ? undefined : Math.min(stated, max)
}

const tooLongForGraph = ({ model }: ModelFolder, contextLength: number, max: number) => {
  const problem =
    `its option contextLength is ${contextLength}, and it cannot evaluate texts of so many tokens: ` +
    `set it to ${max} or less, or leave it out`
  return failure('model_invalid', { model, problem })
}

export interface TextLimits {
  /** Max tokens of a text. */
  readonly limit: number
  /** The session to evaluate texts with; it may fix their length. */
  readonly session: Session
}

/** A higher limit in the files is believed without a trial, which would take seconds and gigabytes. */
const maxTrial = 2048

/** The limit that the option or the files state, or else the longest text that the graph evaluates. @throws model_invalid */
export const textLimits = async (input: TextLimitsInput): Promise<TextLimits> => {
  const { folder, session, options, images } = input
  const stated = statedLimit(folder, session.inputs, options)
  const { tokens: fixed } = fixedShape(session.inputs)
  const isKnown = fixed !== undefined || tokenPositions(folder) !== undefined
  const limit = stated !== undefined && isKnown ? stated : await measuredLimit(input, stated)
  if (images === undefined || hasMask(session) || fixed !== undefined) return { limit, session }
  return { limit, session: paddedTo(session, Math.max(limit, tokenLimit(folder) ?? (await maxLengthOf(input)))) }
}

/** The session with a fixed length of texts, so that all are padded to so many tokens. */
const paddedTo = (session: Session, tokens: number): Session => ({
  inputs: session.inputs.map((input) =>
    input.name === 'input_ids' ? { ...input, shape: [input.shape[0] ?? -1, tokens] } : input,
  ),
  outputs: session.outputs,
  run: (inputs, outputs) => session.run(inputs, outputs),
  release: () => session.release(),
})

/** Tries the graph where no file states the number of positions. */
const measuredLimit = async (input: TextLimitsInput, stated: number | undefined): Promise<number> => {
  const { folder, session, kind, options, images } = input
  const isConfigured = options.contextLength !== undefined
  if (stated !== undefined && !isConfigured && stated > maxTrial) return stated
  if (stated !== undefined && (await evaluates(stated, session, kind.output, images?.blankPixels))) return stated
  const max = await maxLengthOf(input)
  if (stated !== undefined && isConfigured) throw tooLongForGraph(folder, stated, max)
  return Math.min(max, stated ?? Infinity)
}

const maxLengthOf = async ({ folder, session, kind, images }: TextLimitsInput): Promise<number> => {
  const max = await maxEvaluated(session, kind.output, images?.blankPixels)
  if (max !== undefined) return max
  throw failure('model_invalid', { model: folder.model, problem: 'it fails at every text' })
}

/** A text tower without a mask sees the padding, and was trained with texts that are padded to its limit. */
const hasMask = ({ inputs }: Session): boolean => inputs.some(({ name }) => name === 'attention_mask')
