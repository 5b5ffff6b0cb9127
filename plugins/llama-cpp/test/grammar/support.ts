import { expect } from 'chai'
import { randomNumbers } from '@sallyport/kit/numbers'
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

/** What Ajv compiles of `patternProperties` beside `anyOf` fails on some values: these say nothing. */
const fits = (validate: (value: unknown) => boolean, value: unknown): boolean => {
  try {
    return validate(value)
  } catch (error) {
    if (error instanceof TypeError) return true
    throw error
  }
}

/**
 * The first of some random texts of the grammar that fits the schema neither as it is nor without what is not held:
 * below `oneOf` and `not`, less of a keyword may allow less.
 */
export const counterexample = ({ gbnf, unenforced }: Grammar, schema: unknown, samples: number): string | undefined => {
  const validators = [withoutKeywords(schema, unenforced), schema].map(validatorOf)
  const sampler = new GbnfSampler(gbnf)
  const random = randomNumbers(7)
  return Array.from({ length: samples }, () => sampler.sample(random)).find((text) => {
    const value: unknown = JSON.parse(text)
    return !validators.some((validate) => fits(validate, value))
  })
}

export const closed = (properties: object, required: readonly string[] = [], rest: object = {}): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...rest,
})

export interface Case {
  readonly schema: unknown
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
}

/**
 * A test for each schema: that its grammar accepts some texts, refuses others, and allows nothing else that is wrong.
 */
export const describeCases = (title: string, cases: Readonly<Record<string, Case>>): void => {
  describe(title, function () {
    this.timeout(60_000)
    let engine: GrammarEngine

    before(async () => {
      engine = await engineOf()
    })

    for (const [name, { schema, accepted, refused }] of Object.entries(cases)) {
      it(name, () => {
        const grammar = compile(schema)
        const isAccepted = engine.parse(grammar.gbnf)
        expect(accepted.filter((text) => !isAccepted(text))).to.deep.equal([])
        expect(refused.filter((text) => isAccepted(text)).map((text) => text.slice(0, 40))).to.deep.equal([])
        expect(counterexample(grammar, schema, 100)).to.equal(undefined)
      })
    }
  })
}
