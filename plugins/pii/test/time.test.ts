import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { attacksOn } from '../src/custom/attacks.js'
import { timeOf } from '../src/custom/time.js'
import { compilePattern } from '../src/patterns/compile.js'
import { recognizers } from '../src/recognizers/index.js'
import { callOf, detectorOf } from './support.js'

/** Milliseconds for a mebibyte; a part of it is tried. */
const budget = 50
const share = 8
const length = 2 ** 20 / share

/** The best of a few: other processes disturb. */
const bestTimeOf = (regex: RegExp, text: string): number => {
  let best = Infinity
  for (let times = 0; times < 10 && best > budget / share; times += 1) best = Math.min(best, timeOf(regex, text))
  return best
}

describe('the time that patterns take', () => {
  for (const recognizer of recognizers)
    recognizer.patterns.forEach(({ regex }, index) => {
      const name = `${recognizer.entity}${recognizer.kind ? ` (${recognizer.kind})` : ''}, pattern ${index + 1}`
      it(`${name}: at most ${budget} ms for 1 MiB of whatever it repeats`, () => {
        const { regex: compiled } = compilePattern(regex)
        for (const attack of attacksOn(regex))
          expect(bestTimeOf(compiled, attack(length)), JSON.stringify(attack(40))).to.be.at.most(budget / share)
      }).timeout(120_000)
    })
})

describe('a text of a million characters', () => {
  const prose = 'The quick brown fox jumps over 13 lazy dogs, writes to jane@example.org and calls +49 30 901820. '
  for (const [name, part] of [
    ['prose', prose],
    ['digits', '4111 1111 '],
    ['capitals', 'Jane Doe '],
    ['another script', 'Ｊａｎｅ 日本語 ждать, '],
  ] as const)
    it(`of ${name} lets other work run in between`, async () => {
      const detector = detectorOf()
      const text = part.repeat(Math.ceil(1_000_000 / part.length))
      expect(await turnsDuring(() => detector.inspect({ text }, callOf()))).to.be.at.least(50)
    }).timeout(120_000)
})

/** How often other work could run. Their length in time is for benchmarks: other processes disturb. */
const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let [turns, done] = [0, false]
  const working = work().finally(() => (done = true))
  for (; !done; turns += 1) await nextTurn()
  await working
  return turns
}
