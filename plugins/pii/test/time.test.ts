import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { attacksOn } from '../src/custom/attacks.js'
import { checkTime, growth, noise, processorTime, timeOf } from '../src/custom/time.js'
import { compileRecognizer } from '../src/matching/compiled.js'
import { findIn } from '../src/matching/find.js'
import { compilePattern } from '../src/patterns/compile.js'
import { email } from '../src/recognizers/email.js'
import { recognizers } from '../src/recognizers/index.js'
import { callOf, detectorOf } from './support.js'

const [shorter, longer] = [2 ** 15, 2 ** 17]

/** The best of a few. */
const bestOf = (measure: () => number, enough: number): number => {
  let best = Infinity
  for (let times = 0; times < 10 && best > enough; times += 1) best = Math.min(best, measure())
  return best
}

const bestTimeOf = (regex: RegExp, text: string, enough: number): number => bestOf(() => timeOf(regex, text), enough)

describe('the time that patterns take', () => {
  for (const recognizer of recognizers)
    recognizer.patterns.forEach(({ regex }, index) => {
      const name = `${recognizer.entity}${recognizer.kind ? ` (${recognizer.kind})` : ''}, pattern ${index + 1}`
      it(`${name}: grows with the length of whatever it repeats`, () => {
        const { regex: compiled } = compilePattern(regex)
        for (const attack of attacksOn(regex)) {
          const most = growth * Math.max(noise, bestTimeOf(compiled, attack(shorter), noise))
          expect(bestTimeOf(compiled, attack(longer), most), JSON.stringify(attack(40))).to.be.at.most(most)
        }
      }).timeout(120_000)
    })

  it('is told from what grows faster', () => {
    const { regex } = compilePattern(/(?:a{1,500}){1,2}b/u)
    expect(bestTimeOf(regex, 'a'.repeat(4096), 0)).to.be.above(
      growth * Math.max(noise, bestTimeOf(regex, 'a'.repeat(256), 0)),
    )
  }).timeout(120_000)
})

describe('a pattern of one’s own', () => {
  const pattern = compilePattern(/a{1,9}b/u)

  it('is taken on a machine that is slow', () => {
    expect(() => checkTime(pattern, (_, text) => text.length * 10)).to.not.throw()
  })

  it('is taken on a machine that is busy now and then', () => {
    let searches = 0
    expect(() => checkTime(pattern, (_, text) => text.length * (++searches % 7 < 2 ? 1000 : 1))).to.not.throw()
  })

  it('is refused on a machine that is fast where its time grows with the square of the text', () => {
    expect(() => checkTime(pattern, (_, text) => text.length ** 2 / 1e7)).to.throw('more than linear time')
  })
})

describe('a text with many findings', () => {
  it('takes time that grows with its length', () => {
    const compiled = compileRecognizer(email)
    const timeIn = (length: number, enough: number) => {
      const text = 'a@b.org '.repeat(length / 8)
      return bestOf(() => processorTime(() => findIn(text, compiled, 0.5)), enough)
    }
    const most = growth * Math.max(noise, timeIn(shorter, noise))
    expect(timeIn(longer, most)).to.be.at.most(most)
  }).timeout(120_000)
})

describe('a text of three hundred thousand characters', () => {
  const prose = 'The quick brown fox jumps over 13 lazy dogs, writes to jane@example.org and calls +49 30 901820. '
  for (const [name, part] of [
    ['prose', prose],
    ['digits', '4111 1111 '],
    ['capitals', 'Jane Doe '],
    ['another script', 'Ｊａｎｅ 日本語 ждать, '],
  ] as const)
    it(`of ${name} lets other work run in between`, async () => {
      const detector = detectorOf()
      const text = part.repeat(Math.ceil(300_000 / part.length))
      expect(await turnsDuring(() => detector.inspect({ text }, callOf()))).to.be.at.least(15)
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
