import { embedding, failure, provide, rerank, textClassification, tokenClassification, tokens } from '@sallyport/core'
import type { LoadedDescriptor, Provision } from '@sallyport/core'
import { labelsOf } from './classification/labels.js'
import { OnnxTextClassification } from './classification/text-classification.js'
import { OnnxTokenClassification } from './classification/token-classification.js'
import { OnnxEmbedding } from './embedding.js'
import { tokenRows, wholeRows } from './encoder/rows.js'
import type { ReadRows } from './encoder/rows.js'
import { fixedShape } from './encoder/text-inputs.js'
import { TextModel } from './encoder/text-model.js'
import { dependsOnNeighbours, longestEvaluated, rowLength } from './encoder/trials.js'
import { tokenLimit } from './files/token-limit.js'
import type { ModelFolder } from './files/model-folder.js'
import type { Pictures } from './pictures.js'
import type { ModelKind } from './model-kind.js'
import type { OnnxOptions } from './options.js'
import { CrossEncoderRerank } from './rerank/cross-encoder-rerank.js'
import { HybridRerank } from './rerank/hybrid-rerank.js'
import { TokenPassages } from './rerank/passages.js'
import { sentenceVectors } from './sentence-vectors.js'
import type { SentenceVectors } from './sentence-vectors.js'
import type { Session } from './session/session.js'
import { JsonTokenizer } from './text/json-tokenizer.js'
import { OnnxTokens } from './tokens.js'

export type TextKind = Exclude<ModelKind, { readonly kind: 'tensors' }>

export interface TextServicesInput {
  readonly folder: ModelFolder
  readonly session: Session
  readonly kind: TextKind
  readonly options: OnnxOptions
  /** Of models that see. */
  readonly pictures: Pictures | undefined
}

export interface TextServices {
  readonly provides: readonly Provision[]
  readonly descriptor: LoadedDescriptor
}

interface Parts {
  readonly tokenizer: JsonTokenizer
  readonly model: TextModel
  readonly vectors: SentenceVectors | undefined
}

/** What a model of texts serves. @throws model_invalid */
export const textServices = async (input: TextServicesInput): Promise<TextServices> => {
  const { folder, session, kind, options, pictures } = input
  const tokenizer = await loadTokenizer(input)
  const vectors = kind.kind === 'encoder' ? sentenceVectors(folder, kind, options) : undefined
  const model = new TextModel({
    session,
    padId: tokenizer.padId,
    output: kind.output,
    readRows: vectors?.readRows ?? rowsOf(kind),
    batchTokens: options.batchTokens,
    queue: options.queue,
    blank: pictures?.alongText ?? {},
  })
  const alone = await dependsOnNeighbours(model, tokenizer)
  if (alone) model.separate()
  const remarks = [...(alone ? [aloneRemark] : []), ...(vectors?.facts.normalize === false ? [lengthRemark] : [])]
  return {
    provides: [...(await servicesOf(input, { tokenizer, model, vectors })), provide(tokens, new OnnxTokens(tokenizer))],
    descriptor: {
      contextLength: tokenizer.limit,
      ...(pictures && { features: { image: true } }),
      ...(remarks.length > 0 && { description: remarks.join(' ') }),
    },
  }
}

const aloneRemark = 'Texts are evaluated one at a time: in this file, results would depend on the texts beside them.'
const lengthRemark = 'Vectors are not normalised.'

const rowsOf = ({ kind }: TextKind): ReadRows => (kind === 'token-classifier' ? tokenRows : wholeRows)

const servicesOf = async ({ folder, kind, pictures }: TextServicesInput, { tokenizer, model, vectors }: Parts) => {
  const { evaluate } = model
  if (vectors) {
    const facts = { ...vectors.facts, width: await rowLength(model, tokenizer) }
    const service = new OnnxEmbedding({ tokenizer, evaluate, facts, pictures: pictures?.tower })
    return [provide(embedding, service), provide(rerank, new HybridRerank(service, new TokenPassages(tokenizer)))]
  }
  if (kind.kind === 'cross-encoder') return [provide(rerank, new CrossEncoderRerank(tokenizer, evaluate))]
  const labels = labelsOf(folder.json('config.json'))
  return kind.kind === 'text-classifier'
    ? [provide(textClassification, new OnnxTextClassification(tokenizer, evaluate, labels))]
    : [provide(tokenClassification, new OnnxTokenClassification(tokenizer, evaluate, labels))]
}

/** @throws model_invalid */
const loadTokenizer = async (input: TextServicesInput): Promise<JsonTokenizer> => {
  const { folder, session, kind, options, pictures } = input
  const { model } = folder
  const definition = folder.json('tokenizer.json')
  if (!definition)
    throw failure('model_invalid', { model, problem: 'it reads tokens: put its tokenizer.json beside the file' })
  const limit =
    options.contextLength ?? tokenLimit(folder) ?? (await longestEvaluated(session, kind.output, pictures?.alongText))
  if (limit === undefined) throw failure('model_invalid', { model, problem: 'it fails at every text' })
  return new JsonTokenizer({ model, definition, limit: Math.min(limit, fixedShape(session.inputs).tokens ?? limit) })
}
