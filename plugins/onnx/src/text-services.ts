import { embedding, provide, rerank, textClassification, tokenClassification, tokens } from '@sallyport/core'
import type { LoadedDescriptor, Provision } from '@sallyport/core'
import { labelsOf } from './classification/labels.js'
import { OnnxTextClassification } from './classification/text-classification.js'
import { OnnxTokenClassification } from './classification/token-classification.js'
import { OnnxEmbedding } from './embedding.js'
import { tokenRows, wholeRows } from './encoder/rows.js'
import type { ReadRows } from './encoder/rows.js'
import { TextModel } from './encoder/text-model.js'
import { dependsOnNeighbours, logitsAgree, rowLength, vectorsAgree } from './encoder/trials.js'
import type { TextKind } from './model-kind.js'
import type { OnnxOptions } from './options.js'
import { checkWidth } from './vision.js'
import { CrossEncoderRerank } from './rerank/cross-encoder-rerank.js'
import { DocumentTruncation } from './rerank/document-truncation.js'
import { HybridRerank } from './rerank/hybrid-rerank.js'
import { TokenPassages } from './rerank/passages.js'
import { sentenceVectors } from './files/sentence-facts.js'
import type { SentenceVectors } from './files/sentence-facts.js'
import { TextTokenizer } from './text/tokenizer.js'
import { readTokenizer, textLimits } from './text-limits.js'
import type { TextLimitsInput } from './text-limits.js'
import { OnnxTokens } from './tokens.js'

export interface TextServicesInput extends TextLimitsInput {
  readonly options: OnnxOptions
}

export interface TextServices {
  readonly provides: readonly Provision[]
  readonly descriptor: LoadedDescriptor
}

interface Parts {
  readonly tokenizer: TextTokenizer
  readonly model: TextModel
  readonly vectors: SentenceVectors | undefined
}

/** The services of a model that reads texts. @throws model_invalid */
export const textServices = async (input: TextServicesInput): Promise<TextServices> => {
  const { folder, kind, options, images } = input
  const { limit, session } = await textLimits(input)
  const tokenizer = new TextTokenizer(readTokenizer(folder, kind, limit), limit)
  const vectors = kind.kind === 'encoder' ? sentenceVectors(folder, kind, options) : undefined
  const model = new TextModel({
    session,
    padId: tokenizer.padId,
    output: kind.output,
    readRows: vectors?.readRows ?? rowsOf(kind),
    batchTokens: options.batchTokens,
    queue: options.queue,
    blank: images?.blankPixels ?? {},
  })
  const isDependent = await dependsOnNeighbours(model, tokenizer, vectors ? vectorsAgree : logitsAgree)
  if (isDependent) model.evaluateSingly()
  const remarks = [
    ...(isDependent ? [singleTextRemark] : []),
    ...(vectors?.facts.normalize === false ? [notNormalisedRemark] : []),
  ]
  return {
    provides: [...(await servicesOf(input, { tokenizer, model, vectors })), provide(tokens, new OnnxTokens(tokenizer))],
    descriptor: {
      contextLength: tokenizer.limit,
      ...(images && { features: { image: true } }),
      ...(remarks.length > 0 && { description: remarks.join(' ') }),
    },
  }
}

const singleTextRemark =
  'Texts are evaluated one at a time: in this file, results would depend on the texts beside them.'
const notNormalisedRemark = 'Vectors are not normalised.'

const rowsOf = ({ kind }: TextKind): ReadRows => (kind === 'token-classifier' ? tokenRows : wholeRows)

const servicesOf = async ({ folder, kind, images }: TextServicesInput, { tokenizer, model, vectors }: Parts) => {
  const { evaluate } = model
  if (vectors) {
    const width = await rowLength(model, tokenizer)
    if (images) await checkWidth(folder.model, images, width)
    const facts = { ...vectors.facts, width }
    const service = new OnnxEmbedding({ tokenizer, evaluate, facts, images: images?.tower })
    const ranking = new HybridRerank(service, new TokenPassages(tokenizer))
    return [provide(embedding, service), provide(rerank, new DocumentTruncation(ranking, tokenizer))]
  }
  if (kind.kind === 'cross-encoder')
    return [provide(rerank, new DocumentTruncation(new CrossEncoderRerank(tokenizer, evaluate), tokenizer))]
  const labels = labelsOf(folder.json('config.json'))
  return kind.kind === 'text-classifier'
    ? [provide(textClassification, new OnnxTextClassification(tokenizer, evaluate, labels))]
    : [provide(tokenClassification, new OnnxTokenClassification(tokenizer, evaluate, labels))]
}
