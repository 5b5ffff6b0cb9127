import { failure } from '@sallyport/core'
import type { TensorSignature } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { fixedShape, textInputs } from './encoder/text-inputs.js'
import type { ModelFiles } from './files/model-files.js'
import { contextLengthOf, maxPositions } from './files/context-length.js'
import type { TextTask } from './model-task.js'
import type { OnnxOptions } from './options.js'
import type { OpenImageTower } from './open-image-tower.js'
import type { Session } from './session/ort-session.js'
import { readDefinition } from './text/tokenizer-definition.js'
import type { TokenizerDefinition } from './text/tokenizer-definition.js'

/** A model that takes texts. */
export interface OpenTextModel {
  readonly files: ModelFiles
  readonly session: Session
  readonly task: TextTask
  readonly options: OnnxOptions
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
  const problem =
    `its context length of ${contextLength} tokens leaves no room beside its ${specialTokenCount} special tokens: ` +
    'correct its files, or set contextLength'
  throw failure('model_invalid', { model, problem })
}

/** The spelling of the padding token; undefined where tokenizer_config.json does not state it. */
const padToken = (files: ModelFiles): string | undefined => {
  const stated = files.json('tokenizer_config.json')?.['pad_token']
  const token = isRecord(stated) ? stated['content'] : stated
  return typeof token === 'string' ? token : undefined
}

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

/** A higher limit in the files is believed without a trial, which would take seconds and gigabytes. */
const maxTrial = 2048
/** The lengths to try, in tokens, where the files state none that the graph accepts. */
const candidateLengths = [512, 256, 128, 64, 32]

/**
 * The context length that the option or the files state, or else the longest that the graph accepts; and the session to
 * evaluate texts with, which may fix their length.
 * @throws model_invalid
 */
export const textSession = async (model: OpenTextModel): Promise<{ contextLength: number; session: Session }> => {
  const { files, session, options, imageTower } = model
  const stated = statedContextLength(files, session.inputs, options)
  const { sequenceLength: fixed } = fixedShape(session.inputs)
  const isKnown = fixed !== undefined || maxPositions(files) !== undefined
  const contextLength = stated !== undefined && isKnown ? stated : await measuredContextLength(model, stated)
  const hasMask = session.inputs.some(({ name }) => name === 'attention_mask')
  if (imageTower === undefined || hasMask || fixed !== undefined) return { contextLength, session }
  // A text tower without a mask sees the padding, and was trained with texts that are padded to its context length.
  const paddedLength = Math.max(contextLength, contextLengthOf(files) ?? (await maxLengthOf(model)))
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
const measuredContextLength = async (model: OpenTextModel, stated: number | undefined): Promise<number> => {
  const isConfigured = model.options.contextLength !== undefined
  if (stated !== undefined && ((!isConfigured && stated > maxTrial) || (await acceptsLength(stated, model))))
    return stated
  const max = await maxLengthOf(model)
  if (stated !== undefined && isConfigured) throw tooLongForGraph(model.files, stated, max)
  return Math.min(max, stated ?? Infinity)
}

const maxLengthOf = async (model: OpenTextModel): Promise<number> => {
  for (const length of candidateLengths) if (await acceptsLength(length, model)) return length
  throw failure('model_invalid', { model: model.files.model, problem: 'it fails on every text' })
}

/** Whether the graph evaluates a text of `length` tokens. */
const acceptsLength = async (length: number, { session, task, imageTower }: OpenTextModel): Promise<boolean> => {
  const text = { ids: new Array<number>(length).fill(0) }
  const inputs = { ...textInputs([text], session.inputs, 0), ...imageTower?.dummyPixels }
  const [run] = await Promise.allSettled([session.run(inputs, [task.output])])
  return run.status === 'fulfilled'
}
