import { failure } from '@sallyport/core'
import type { TensorSignature } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { fixedShape } from './encoder/text-inputs.js'
import { acceptsLength, maxAcceptedLength } from './encoder/trials.js'
import type { ModelFiles } from './files/model-files.js'
import { contextLengthOf, maxPositions } from './files/context-length.js'
import type { TextTask } from './model-task.js'
import type { OnnxOptions } from './options.js'
import type { OpenImageTower } from './open-image-tower.js'
import type { Session } from './session/ort-session.js'
import { readDefinition } from './text/tokenizer-definition.js'
import type { TokenizerDefinition } from './text/tokenizer-definition.js'

export interface TextSessionInput {
  readonly files: ModelFiles
  readonly session: Session
  readonly task: TextTask
  readonly options: Pick<OnnxOptions, 'contextLength'>
  /** Present where the model takes images. */
  readonly imageTower: OpenImageTower | undefined
}

/** @throws model_invalid, also where the context length has no room for a token of a text */
export const readTokenizerDefinition = (
  files: ModelFiles,
  { type }: TextTask,
  contextLength: number,
): TokenizerDefinition => {
  const { model } = files
  const json = files.json('tokenizer.json')
  if (!json)
    throw failure('model_invalid', { model, problem: 'it takes tokens: put its tokenizer.json beside the file' })
  const definition = readDefinition(model, json, padToken(files))
  const { specialTokenCount } = definition.templates[type === 'cross-encoder' ? 'pair' : 'single']
  if (contextLength > specialTokenCount) return definition
  throw failure('model_invalid', { model, problem: noRoomProblem(contextLength, specialTokenCount) })
}

/** The spelling of the padding token; undefined where tokenizer_config.json does not state it. */
const padToken = (files: ModelFiles): string | undefined => {
  const stated = files.json('tokenizer_config.json')?.['pad_token']
  const text = isRecord(stated) ? stated['content'] : stated
  return typeof text === 'string' ? text : undefined
}

const noRoomProblem = (contextLength: number, specialTokens: number) =>
  `its context length of ${contextLength} tokens leaves no room beside its ${specialTokens} special tokens: ` +
  'correct its files, or set contextLength'

/**
 * The context length as the option or else the files state it; undefined where neither does.
 * @throws model_invalid where the option is above what the model is known to evaluate
 */
export const statedContextLength = (
  files: ModelFiles,
  inputs: readonly TensorSignature[],
  { contextLength }: Pick<OnnxOptions, 'contextLength'>,
): number | undefined => {
  const { sequenceLength: fixed } = fixedShape(inputs)
  const max = Math.min(maxPositions(files) ?? Infinity, fixed ?? Infinity)
  if (contextLength !== undefined && contextLength > max) throw tooLongForGraph(files, contextLength, max)
  const stated = contextLength ?? contextLengthOf(files) ?? fixed
  return stated === undefined ? undefined : Math.min(stated, max)
}

const tooLongForGraph = ({ model }: ModelFiles, contextLength: number, max: number) => {
  const problem =
    `its option contextLength is ${contextLength}, and it cannot evaluate texts of that length: ` +
    `set it to ${max} or less, or leave it out`
  return failure('model_invalid', { model, problem })
}

export interface TextSession {
  /** Max tokens of a text. */
  readonly contextLength: number
  /** The session to evaluate texts with; it may fix their length. */
  readonly session: Session
}

/** A higher limit in the files is believed without a trial, which would take seconds and gigabytes. */
const maxTrial = 2048

/**
 * The session for the context length that the option or the files state, or else for the longest that the graph
 * accepts.
 * @throws model_invalid
 */
export const textSession = async (input: TextSessionInput): Promise<TextSession> => {
  const { files, session, options, imageTower } = input
  const stated = statedContextLength(files, session.inputs, options)
  const { sequenceLength: fixed } = fixedShape(session.inputs)
  const isKnown = fixed !== undefined || maxPositions(files) !== undefined
  const contextLength = stated !== undefined && isKnown ? stated : await measuredContextLength(input, stated)
  if (imageTower === undefined || hasMask(session) || fixed !== undefined) return { contextLength, session }
  const paddedLength = Math.max(contextLength, contextLengthOf(files) ?? (await maxLengthOf(input)))
  return { contextLength, session: paddedTo(session, paddedLength) }
}

/** The session with a fixed sequence length, to which all texts are padded. */
const paddedTo = (session: Session, sequenceLength: number): Session => ({
  inputs: session.inputs.map((input) =>
    input.name === 'input_ids' ? { ...input, shape: [input.shape[0] ?? -1, sequenceLength] } : input,
  ),
  outputs: session.outputs,
  run: (inputs, outputs) => session.run(inputs, outputs),
  release: () => session.release(),
})

/** Tries the graph where no file states the number of positions. */
const measuredContextLength = async (input: TextSessionInput, stated: number | undefined): Promise<number> => {
  const { files, session, task, options, imageTower } = input
  const isConfigured = options.contextLength !== undefined
  if (stated !== undefined && !isConfigured && stated > maxTrial) return stated
  if (stated !== undefined && (await acceptsLength(stated, session, task.output, imageTower?.dummyPixels)))
    return stated
  const max = await maxLengthOf(input)
  if (stated !== undefined && isConfigured) throw tooLongForGraph(files, stated, max)
  return Math.min(max, stated ?? Infinity)
}

const maxLengthOf = async ({ files, session, task, imageTower }: TextSessionInput): Promise<number> => {
  const max = await maxAcceptedLength(session, task.output, imageTower?.dummyPixels)
  if (max !== undefined) return max
  throw failure('model_invalid', { model: files.model, problem: 'it fails on every text' })
}

/** A text tower without a mask sees the padding, and was trained with texts that are padded to its context length. */
const hasMask = ({ inputs }: Session): boolean => inputs.some(({ name }) => name === 'attention_mask')
