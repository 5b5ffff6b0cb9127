import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { attacksOn, checkTime, maxGrowth, minTime, cpuTimeOf, timeOf } from '../src/custom/time.js'
import { compileRecognizer } from '../src/matching/compiled.js'
import { base64In } from '@sallyport/kit/views'
import { findIn } from '../src/matching/find.js'
import { matchesOf } from '../src/regex/search.js'
import { compilePattern } from '../src/regex/compile.js'
import { groupsOf } from '../src/patterns/spread.js'
import { NameModel } from '../src/model/names.js'
import { email } from '../src/recognizers/email.js'
import { iban } from '../src/recognizers/iban.js'
import { recognizers } from '../src/recognizers/index.js'
import { callOf, detectorOf } from './support.js'

/** Beyond its maximum length the time of any pattern is linear: shorter texts show more than longer ones. */
const forPatterns = 2 ** 15
const forFindings = 2 ** 17

/** The best of a few. */
const bestOf = (tries: number, measure: () => number, enough: number): number => {
  let best = Infinity
  for (let times = 0; times < tries && best > enough; times += 1) best = Math.min(best, measure())
  return best
}

/** Compares with a quarter of the length. Whatever else the process does makes no time shorter. */
const expectLinear = (time: (length: number) => number, length: number, of?: string): void => {
  const quarter = bestOf(3, () => time(length / 4), minTime)
  const max = maxGrowth * Math.max(minTime, quarter)
  const whole = bestOf(10, () => time(length), max)
  expect(whole, of).to.be.at.most(max)
}

describe('the time that patterns take', () => {
  for (const recognizer of recognizers)
    recognizer.patterns.forEach(({ regex }, index) => {
      const name = `${recognizer.entity}${recognizer.kind ? ` (${recognizer.kind})` : ''}, pattern ${index + 1}`
      it(`${name}: grows with the length of whatever it repeats`, () => {
        const { regex: compiled } = compilePattern(regex)
        for (const attack of attacksOn(regex))
          expectLinear((length) => timeOf(compiled, attack(length)), forPatterns, JSON.stringify(attack(40)))
      }).timeout(120_000)
    })

  it('of base64 grows with the length of whatever it repeats', () => {
    for (const part of [
      'a',
      'aB',
      'aB ',
      'aBcd ',
      'ab cd ',
      'A'.repeat(126),
      'aB" + "',
      `${'aBcd'.repeat(64)} `,
      'aB>',
    ])
      expectLinear(
        (length) => {
          const text = part.repeat(length / part.length)
          return cpuTimeOf(() => [...base64In(text), ...base64In(text, { grows: true })])
        },
        forPatterns,
        JSON.stringify(part),
      )
  }).timeout(120_000)

  it('is told from what grows faster', () => {
    const { regex } = compilePattern(/(?:a{1,500}){1,2}b/u)
    expect(() => expectLinear((length) => timeOf(regex, 'a'.repeat(length)), 512)).to.throw('to be at most')
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
    expectLinear((length) => {
      const text = 'a@b.org '.repeat(length / 8)
      return cpuTimeOf(() => findIn(text, compiled))
    }, forFindings)
  }).timeout(120_000)
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
      expect(await turnsDuring(() => detector.inspect({ text }, callOf()))).to.be.at.least(20)
    }).timeout(120_000)
})

describe('a text of a million characters that names nobody', () => {
  it('lets other work run while it is told whether a model is needed', async () => {
    const names = new NameModel(() => expect.fail('the model was asked'))
    const text = 'You can also add a pinch of salt to the boiling water, and a few unpeeled potatoes.\n\n'
    const work = () => names.find(text.repeat(12_000), callOf(), true)
    expect(await turnsDuring(work)).to.be.at.least(10)
  }).timeout(120_000)
})

describe('an IBAN over many groups', () => {
  it('is refused without each of its beginnings being tried', () => {
    const compiled = compileRecognizer(iban)
    const text = 'd e 1 2 '.repeat(2 ** 14)
    const grouped = () => {
      for (const pattern of compiled.patterns)
        for (const match of matchesOf(text, pattern, {})) if (match) groupsOf(text.slice(match.start, match.end))
    }
    const once = bestOf(5, () => cpuTimeOf(grouped), minTime)
    const whole = bestOf(20, () => cpuTimeOf(() => findIn(text, compiled)), 3 * once)
    expect(whole).to.be.at.most(3 * once)
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
