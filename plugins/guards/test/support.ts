import { readFileSync } from 'node:fs'
import { Pacer } from '@sallyport/kit/async'
import type { Origin } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { timed } from '@sallyport/stand-ins/timed'
import { expect } from 'chai'

export const pacerOf = (tenant = 'test') => new Pacer(testCall({ tenant }))

/** A file beside the sources of the tests. */
export const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../test/${name}`, import.meta.url), 'utf8'))

/** What the training scripts wrote beside a model. */
export const vectorsOf = <Vector>(name: string) => fixture(`vectors/${name}.tests.json`) as Vector[]

/** Texts with a score of at least 0.5 (attacks) and below it (harmless), by what they have in common. */
interface ScoredTexts {
  readonly texts: string
  readonly origin?: Origin
  readonly attacks?: readonly string[]
  readonly harmless?: readonly string[]
}

export const scoredTexts = fixture('scores.json') as readonly ScoredTexts[]

export const harmlessTexts = (name: string): readonly string[] =>
  scoredTexts.find(({ texts }) => texts === name)?.harmless ?? []

/** How much more time four times the text may take: linear is 4, quadratic 16. */
const growth = 12
/** Milliseconds below which a time says nothing. */
const noise = 20
/** Milliseconds that other work may have to wait: collections of what all suites have left fall into it. */
const patience = 1_000

/** Asserts that work on texts of a length grows with it, and lets other work run in between. */
export const expectLinear = async (work: (length: number) => Promise<unknown>, longer = 2 ** 17): Promise<void> => {
  const { total: small } = await timed(() => work(longer / 4))
  const most = growth * Math.max(noise, small)
  let best = { total: Infinity, longest: Infinity }
  for (let times = 0; times < 3 && (best.total > most || best.longest > patience); times += 1) {
    const { total, longest } = await timed(() => work(longer))
    best = { total: Math.min(best.total, total), longest: Math.min(best.longest, longest) }
  }
  expect(best.total, `after ${small.toFixed(0)} ms for a quarter`).to.be.at.most(most)
  expect(best.longest).to.be.at.most(patience)
}
