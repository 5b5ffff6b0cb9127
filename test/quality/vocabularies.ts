/** Vocabularies with known tokens of known texts, compared with what our tokenizer makes of them. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelStore } from '@sallyport/store'
import { readDefinition, TextTokenizer } from '@sallyport/onnx/tokenizer'
import { readRows } from './data.js'

export const vectorsFile = 'tokenizers/vectors.jsonl'

export interface Vector {
  readonly vocab: string
  readonly text: string
  readonly ids: readonly number[]
}

/** Models of the catalogue that have one of the vocabularies. */
const models: Readonly<Record<string, string>> = { 'bert-bge': 'all-minilm-l6-v2', 'gpt-2': 'whisper-tiny.en' }

/** What is needed of {@link ModelStore}. */
type Store = Pick<ModelStore, 'locate'>

export type Outcome =
  | { readonly vocabulary: string; readonly skipped: string }
  | {
      readonly vocabulary: string
      readonly total: number
      readonly passed: number
      /** Texts that come back from their tokens as they were. */
      readonly roundTrips: number
      readonly failures: readonly (Vector & { readonly actual: readonly number[] })[]
    }

/** @param folder of files `<vocabulary>.json`, each a tokenizer.json, for vocabularies that no known model has */
export const compareVocabularies = async (store: Store, folder?: string): Promise<Outcome[]> => {
  const vectors = readRows<Vector>(vectorsFile)
  const names = [...new Set(vectors.map(({ vocab }) => vocab))].sort()
  const outcomes: Outcome[] = []
  for (const vocabulary of names) {
    const source = await find(vocabulary, store, folder)
    const own = vectors.filter(({ vocab }) => vocab === vocabulary)
    outcomes.push('skipped' in source ? { vocabulary, ...source } : await compare(vocabulary, source.path, own))
  }
  return outcomes
}

const find = async (
  vocabulary: string,
  store: Store,
  folder: string | undefined,
): Promise<{ readonly path: string } | { readonly skipped: string }> => {
  const given = folder === undefined ? undefined : join(folder, `${vocabulary}.json`)
  if (given !== undefined && existsSync(given)) return { path: given }
  const model = models[vocabulary]
  if (model === undefined) return { skipped: 'no model of the catalogue has this vocabulary, and no file was given' }
  const { files } = await store.locate(model)
  const path = files['tokenizer.json']
  return path === undefined ? { skipped: `the model ${model} is not in the model store` } : { path }
}

/** Nobody gives up. */
const asking = { tenant: '', signal: new AbortController().signal }

const idsOf = async (tokenizer: TextTokenizer, text: string): Promise<number[]> => {
  const ids: number[] = []
  for await (const tokens of tokenizer.tokens(text, asking)) ids.push(...tokens.map(({ id }) => id))
  return ids
}

const compare = async (vocabulary: string, path: string, vectors: readonly Vector[]): Promise<Outcome> => {
  const definition = readDefinition(vocabulary, JSON.parse(readFileSync(path, 'utf8')))
  const tokenizer = new TextTokenizer(definition, Infinity)
  const compared = await Promise.all(
    vectors.map(async (vector) => ({ ...vector, actual: await idsOf(tokenizer, vector.text) })),
  )
  const failures = compared.filter(({ ids, actual }) => ids.join() !== actual.join())
  return {
    vocabulary,
    total: vectors.length,
    passed: vectors.length - failures.length,
    roundTrips: compared.filter(({ text, actual }) => tokenizer.detokenize(actual) === text).length,
    failures,
  }
}
