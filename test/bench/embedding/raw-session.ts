/** Nothing but onnxruntime, given tensors that are ready. */

import { InferenceSession, Tensor } from 'onnxruntime-node'
import { answerQuestions } from '../adapter/worker.js'
import { closedLoop, oneByOne } from './closed-loop.js'

/** Token ids of texts that are equally long, special tokens included. */
export type RawQuestion = { readonly texts: readonly (readonly number[])[] } & (
  { readonly kind: 'rate'; readonly seconds: number } | { readonly kind: 'times'; readonly calls: number }
)

const session = await InferenceSession.create(process.env['BENCH_MODEL'] ?? '', {
  intraOpNumThreads: Number(process.env['BENCH_THREADS']),
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
})

const feedsOf = (texts: RawQuestion['texts']): Record<string, Tensor> => {
  const ids = texts.flat().map(BigInt)
  const shape = [texts.length, texts[0]?.length ?? 0]
  const values: Readonly<Record<string, readonly bigint[]>> = {
    input_ids: ids,
    attention_mask: ids.map(() => 1n),
    token_type_ids: ids.map(() => 0n),
  }
  return Object.fromEntries(
    session.inputNames.map((name) => [name, new Tensor('int64', BigInt64Array.from(values[name] ?? []), shape)]),
  )
}

/** Texts per second, or the milliseconds of each call. */
answerQuestions(async (question: RawQuestion): Promise<number[]> => {
  const feeds = feedsOf(question.texts)
  const run = () => session.run(feeds, session.outputNames.slice(0, 1))
  if (question.kind === 'times') return oneByOne(question.calls, run)
  return [question.texts.length * (await closedLoop([run], question.seconds))]
})
