import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import type { SpanDetector } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { LinksDetector } from '../src/links/detector.js'
import { SecretsDetector } from '../src/secrets/detector.js'

/** Milliseconds that this process has worked. */
const work = async (detector: SpanDetector, text: string): Promise<number> => {
  const before = process.cpuUsage()
  await detector.inspect({ text }, testCall())
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const bestOf = async (tries: number, measure: () => Promise<number>, enough: number): Promise<number> => {
  let best = Infinity
  for (let at = 0; at < tries && best > enough; at += 1) best = Math.min(best, await measure())
  return best
}

/**
 * Four times the text may take so many times the work, or this many milliseconds: what grows with the square takes 16
 * times.
 */
const [growth, noise] = [8, 20]
const length = 2 ** 17

const parts: Readonly<Record<string, readonly string[]>> = {
  secrets: [
    'eyJ.',
    '-eyJ',
    'glpat-',
    'M.',
    '://a:',
    'password = ',
    'password          ',
    'secret_',
    'pass is ',
    'login a ',
    '-----BEGIN PRIVATE ' + 'KEY-----\n',
    'apiVersion: v1\n  ',
    'curl ',
    'Bearer ',
    'a',
  ],
  links: [
    '[',
    '![',
    '!',
    ']',
    '](',
    '[a](',
    '[a]("',
    '<',
    '<a ',
    '<img ',
    '<img a="',
    "<b c='",
    '<x a ',
    '<style>',
    '<https:',
    'https://',
    'www.',
    '\n[x]: ',
    '[x](a\n',
    '![a](//b.c)',
    '<a href="![a](//b.c)">',
  ],
}
const detectors = { secrets: new SecretsDetector(), links: new LinksDetector() }

for (const [name, detector] of Object.entries(detectors))
  describe(`the time of ${name}`, () => {
    for (const part of parts[name] ?? [])
      it(`grows with the length of a text of ${JSON.stringify(part)}`, async () => {
        const text = (units: number) => part.repeat(Math.ceil(units / part.length)).slice(0, units)
        const quarter = await bestOf(3, () => work(detector, text(length / 4)), noise / growth)
        const most = growth * Math.max(noise, quarter)
        expect(await bestOf(8, () => work(detector, text(length)), most)).to.be.at.most(most)
      }).timeout(120_000)

    it('is shared with others', async () => {
      let [turns, done] = [0, false]
      const text = 'Look at [it](https://evil.example/?q=1): password = "kX7!mQ2#tr". '.repeat(16_000)
      const working = detector.inspect({ text }, testCall()).finally(() => (done = true))
      for (; !done; turns += 1) await nextTurn()
      await working
      expect(turns).to.be.at.least(4)
    }).timeout(120_000)
  })
