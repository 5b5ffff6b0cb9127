/** Measures how well vectors tell similar sentences, through HTTP: Spearman's correlation with people's scores. */

import { readRows } from './data.js'
import { cosine, spearman } from './metrics.js'
import { measureTarget } from './target.js'
import type { Target } from './target.js'

const file = 'embeddings/stsb_en_dev.jsonl'

/** Texts of one request. */
const together = 100

interface Pair {
  readonly s1: string
  readonly s2: string
  readonly score: number
}

interface Answer {
  readonly data: readonly { readonly embedding: readonly number[] }[]
}

const embed = async ({ post, model }: Target, texts: readonly string[]): Promise<(readonly number[])[]> => {
  const vectors: (readonly number[])[] = []
  for (let start = 0; start < texts.length; start += together) {
    const { data } = await post<Answer>('/embeddings', { model, input: texts.slice(start, start + together) })
    vectors.push(...data.map(({ embedding }) => embedding))
  }
  return vectors
}

const measure = async (target: Target): Promise<void> => {
  const pairs = readRows<Pair>(file)
  const first = await embed(
    target,
    pairs.map(({ s1 }) => s1),
  )
  const second = await embed(
    target,
    pairs.map(({ s2 }) => s2),
  )
  const similarities = pairs.map((_, row) => cosine(first[row] ?? [], second[row] ?? []))
  const correlation = spearman(
    similarities,
    pairs.map(({ score }) => score),
  )
  console.log(`${target.model}: ${pairs.length} pairs of sentences`)
  console.log(`Spearman ${correlation.toFixed(3)}`)
}

await measureTarget('similarity', 'all-minilm-l6-v2', measure)
