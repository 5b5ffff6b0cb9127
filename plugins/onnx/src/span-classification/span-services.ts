import { failure, provide, tokenClassification, tokens } from '@sallyport/core'
import type { LoadedModel } from '@sallyport/core'
import { wholeRows } from '../encoder/rows.js'
import { TextModel } from '../encoder/text-model.js'
import { isBatchInvariant, loadRequester, logitsAgree, requireFinite, trialTexts } from '../encoder/trials.js'
import { TextTokenizer } from '../text/tokenizer.js'
import { readTokenizerDefinition, statedContextLength } from '../text-limits.js'
import type { OpenTextModel } from '../text-limits.js'
import { singleTextRemark } from '../text-services.js'
import { OnnxTokens } from '../tokens.js'
import { spanSettings } from './prompt.js'
import { OnnxSpanClassification } from './span-classification.js'
import { spanInputs } from './span-inputs.js'

/** Where no file states it: that of the encoders that GLiNER models are made from. */
const defaultContextLength = 512
/** The least room in tokens that labels leave to a text. */
const leastRoom = 32

/** The services of a GLiNER model. @throws model_invalid */
export const spanServices = async ({ files, session, task, options }: OpenTextModel): Promise<LoadedModel> => {
  const contextLength = statedContextLength(files, session.inputs, options) ?? defaultContextLength
  const definition = readTokenizerDefinition(files, task, contextLength)
  const settings = spanSettings(files, definition, options)
  const tokenizer = new TextTokenizer(definition, contextLength)
  const makeInputs = spanInputs(settings.maxWidth)
  const model = new TextModel({
    id: files.model,
    session,
    padId: tokenizer.padId,
    output: task.output,
    readRows: wholeRows,
    makeInputs,
    maxBatchTokens: options.batchTokens,
    maxQueued: options.queue,
    preparation: tokenizer.native,
  })
  const prompt = await OnnxSpanClassification.promptOf(settings, tokenizer, loadRequester)
  if (contextLength - prompt.length < leastRoom) {
    const problem = `its labels take ${prompt.length} of ${contextLength} tokens: name fewer labels`
    throw failure('model_invalid', { model: files.model, problem, option: ['labels'] })
  }
  const service = new OnnxSpanClassification(tokenizer, model.evaluate, settings, prompt)
  const trials = await Promise.all(trialTexts.map((text) => service.windows(text, loadRequester)))
  const encodings = trials.flatMap(({ windows }) => windows.map(({ tokens: some }) => service.encode(some)))
  const expected = [1, trials[0]?.words.length ?? 0, settings.maxWidth, settings.labels.length]
  const [run] = await Promise.allSettled([
    session.run(makeInputs(encodings.slice(0, 1), session.inputs, tokenizer.padId), [task.output]),
  ])
  if (run.status === 'rejected' || run.value[task.output]?.shape.join() !== expected.join()) {
    const problem = `its graph does not score spans of up to ${settings.maxWidth} words, as its gliner_config.json says`
    throw failure(
      'model_invalid',
      { model: files.model, problem },
      run.status === 'rejected' ? { cause: run.reason } : {},
    )
  }
  await requireFinite(model, encodings)
  const isInvariant = await isBatchInvariant(model, encodings, logitsAgree)
  if (!isInvariant) model.evaluateSingly()
  return {
    provides: [provide(tokenClassification, service), provide(tokens, new OnnxTokens(tokenizer))],
    descriptor: { contextLength, ...(isInvariant ? {} : { description: singleTextRemark }) },
  }
}
