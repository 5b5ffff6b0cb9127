/** Measures how well documents are ranked, through HTTP: MAP and MRR on labelled queries. */

import { readRows } from './data.js'
import { averagePrecision, mean, reciprocalRank } from './metrics.js'
import { measureTarget } from './target.js'
import type { Target } from './target.js'

const file = 'rerank/wice_evidence_dev_sample.jsonl'

interface Query {
  readonly query: string
  readonly candidates: readonly { readonly text: string; readonly label: number }[]
}

interface Answer {
  readonly results: readonly { readonly index: number }[]
}

/** Whether the candidates are relevant, in the order of the server. */
const rank = async ({ post, model }: Target, { query, candidates }: Query): Promise<boolean[]> => {
  const documents = candidates.map(({ text }) => text)
  const { results } = await post<Answer>('/v1/rerank', { model, query, documents })
  return results.map(({ index }) => candidates[index]?.label === 1)
}

const measure = async (target: Target): Promise<void> => {
  const queries = readRows<Query>(file)
  const orders: boolean[][] = []
  for (const query of queries) orders.push(await rank(target, query))
  const judged = orders.filter((order) => order.includes(true))
  const precision = mean(judged.map((order) => averagePrecision(order) ?? 0))
  console.log(
    `${target.model}: ${judged.length} queries, ${queries.flatMap(({ candidates }) => candidates).length} documents`,
  )
  console.log(`MAP ${precision.toFixed(3)}  MRR ${mean(judged.map(reciprocalRank)).toFixed(3)}`)
}

await measureTarget('rerank', 'all-minilm-l6-v2', measure)
