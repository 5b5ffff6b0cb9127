import { embedding, provide, rerank, textClassification, tokenClassification, tokens } from '@sallyport/core'
import type { LoadedModel } from '@sallyport/core'
import { labelsOf } from './classification/labels.js'
import { OnnxTextClassification } from './classification/text-classification.js'
import { OnnxTokenClassification } from './classification/token-classification.js'
import { OnnxEmbedding } from './embedding.js'
import { tokenRows, wholeRows } from './encoder/rows.js'
import { TextModel } from './encoder/text-model.js'
import {
  isBatchInvariant,
  logitsAgree,
  requireFinite,
  trialEncodings,
  vectorDimensions,
  vectorsAgree,
} from './encoder/trials.js'
import { checkDimensions } from './open-image-tower.js'
import { CrossEncoderRerank } from './rerank/cross-encoder-rerank.js'
import { DocumentTruncation } from './rerank/document-truncation.js'
import { HybridRerank } from './rerank/hybrid-rerank.js'
import { PassageSplitter } from './rerank/passages.js'
import { embeddingSettings } from './files/sentence-transformers-config.js'
import type { EmbeddingSettings } from './files/sentence-transformers-config.js'
import { TextTokenizer } from './text/tokenizer.js'
import { readTokenizerDefinition, textSession } from './text-limits.js'
import type { OpenTextModel } from './text-limits.js'
import { OnnxTokens } from './tokens.js'

/** The services of a model that takes texts. @throws model_invalid */
export const textServices = async (opened: OpenTextModel): Promise<LoadedModel> => {
  const { files, task, options, imageTower } = opened
  const { contextLength, session } = await textSession(opened)
  const tokenizer = new TextTokenizer(readTokenizerDefinition(files, task, contextLength), contextLength)
  const settings = task.type === 'embedding' ? embeddingSettings(files, task, options) : undefined
  const model = new TextModel({
    id: files.model,
    session,
    padId: tokenizer.padId,
    output: task.output,
    readRows: settings?.readRows ?? (task.type === 'token-classifier' ? tokenRows : wholeRows),
    maxBatchTokens: options.batchTokens,
    maxQueued: options.queue,
    preparation: tokenizer.native,
    dummyPixels: imageTower?.dummyPixels,
  })
  const trials = await trialEncodings(tokenizer)
  await requireFinite(model, trials)
  const isInvariant = await isBatchInvariant(model, trials, settings ? vectorsAgree : logitsAgree)
  if (!isInvariant) model.evaluateSingly()
  const remarks = [
    ...(isInvariant ? [] : [singleTextRemark]),
    ...(settings?.properties.normalize === false ? [notNormalisedRemark] : []),
  ]
  return {
    provides: [...(await servicesOf(opened, tokenizer, model, settings)), provide(tokens, new OnnxTokens(tokenizer))],
    descriptor: {
      contextLength: tokenizer.contextLength,
      ...(imageTower && { features: { image: true } }),
      ...(remarks.length > 0 && { description: remarks.join(' ') }),
    },
  }
}

export const singleTextRemark =
  'Texts are evaluated one at a time, because the result of a text would otherwise depend on the other texts of its batch.'
const notNormalisedRemark = 'Vectors are not normalised.'

const servicesOf = async (
  { files, task, imageTower }: OpenTextModel,
  tokenizer: TextTokenizer,
  model: TextModel,
  settings: EmbeddingSettings | undefined,
) => {
  const { evaluate } = model
  if (settings) {
    const dimensions = await vectorDimensions(model, tokenizer)
    if (imageTower) await checkDimensions(files.model, imageTower, dimensions)
    const properties = { ...settings.properties, dimensions }
    const service = new OnnxEmbedding({ tokenizer, evaluate, properties, imageTower: imageTower?.tower })
    const ranking = new HybridRerank(service, new PassageSplitter(tokenizer))
    return [provide(embedding, service), provide(rerank, new DocumentTruncation(ranking, tokenizer))]
  }
  if (task.type === 'cross-encoder')
    return [provide(rerank, new DocumentTruncation(new CrossEncoderRerank(tokenizer, evaluate), tokenizer))]
  const labels = labelsOf(files.json('config.json'), files.model)
  return task.type === 'text-classifier'
    ? [provide(textClassification, new OnnxTextClassification(tokenizer, evaluate, labels))]
    : [provide(tokenClassification, new OnnxTokenClassification(tokenizer, evaluate, labels))]
}
