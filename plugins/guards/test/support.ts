import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Turns } from '@sallyport/core'
import { testCall } from '@sallyport/core/conformance'
import { expect } from 'chai'
import { modelFolder } from '../src/models.js'

export const turnsOf = () => new Turns(testCall())

/** What the training scripts wrote beside a model. */
export const vectorsOf = <Vector>(name: string): Vector[] =>
  JSON.parse(readFileSync(new URL(`../test/vectors/${name}.tests.json`, modelFolder), 'utf8')) as Vector[]

/** Milliseconds of processor time, which other processes take no part of. */
interface Spent {
  readonly total: number
  /** Of the longest part that let no other work run. */
  readonly longest: number
}

const spentOn = async (work: () => Promise<unknown>): Promise<Spent> => {
  let [total, longest, done] = [0, 0, false]
  const working = work().finally(() => (done = true))
  do {
    const begin = process.cpuUsage()
    await nextTurn()
    const { user, system } = process.cpuUsage(begin)
    const time = (user + system) / 1000
    total += time
    longest = Math.max(longest, time)
  } while (!done)
  await working
  return { total, longest }
}

const [shorter, longer] = [2 ** 17, 2 ** 19]
/** How much more time four times the text may take: linear is 4, quadratic 16. */
const growth = 9
/** Milliseconds below which a time says nothing. */
const noise = 20
/** Milliseconds that other work may have to wait: collections of what all suites have left fall into it. */
const patience = 1_000

/** Asserts that work on texts of a length grows with it, and lets other work run in between. */
export const expectLinear = async (work: (length: number) => Promise<unknown>): Promise<void> => {
  const { total: small } = await spentOn(() => work(shorter))
  const most = growth * Math.max(noise, small)
  let best: Spent = { total: Infinity, longest: Infinity }
  for (let times = 0; times < 3 && (best.total > most || best.longest > patience); times += 1) {
    const { total, longest } = await spentOn(() => work(longer))
    best = { total: Math.min(best.total, total), longest: Math.min(best.longest, longest) }
  }
  expect(best.total, `after ${small.toFixed(0)} ms for a quarter`).to.be.at.most(most)
  expect(best.longest).to.be.at.most(patience)
}
