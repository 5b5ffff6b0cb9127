import { randomNumbers } from '@sallyport/core'
import { GbnfSampler } from '@sallyport/stand-ins/gbnf'
import { loadGrammarEngine } from '@sallyport/stand-ins/grammar-engine'
import type { GrammarEngine } from '@sallyport/stand-ins/grammar-engine'
import { validatorOf, withoutKeywords } from '@sallyport/stand-ins/json-schema'
import { GrammarBuilder } from '../../src/grammar/index.js'
import type { Grammar } from '../../src/grammar/index.js'

let loading: Promise<GrammarEngine> | undefined

export const engineOf = (): Promise<GrammarEngine> => (loading ??= loadGrammarEngine())

export const compile = (schema: unknown, strict = false): Grammar => {
  const builder = new GrammarBuilder()
  return builder.build(builder.schema(schema, { field: 'schema', strict }))
}

/** The first of some random texts of the grammar that does not fit what the schema says without what is not held. */
export const counterexample = ({ gbnf, unheld }: Grammar, schema: unknown, samples: number): string | undefined => {
  const validate = validatorOf(withoutKeywords(schema, unheld))
  const sampler = new GbnfSampler(gbnf)
  const random = randomNumbers(7)
  return Array.from({ length: samples }, () => sampler.sample(random)).find((text) => !validate(JSON.parse(text)))
}
