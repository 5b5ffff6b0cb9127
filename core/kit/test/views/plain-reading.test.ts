import { expect } from 'chai'
import { countTurns } from '@sallyport/testing'
import { Pacer } from '@sallyport/kit/async'
import { plainReading, plainText } from '@sallyport/kit/views'

const pacerOf = (signal = new AbortController().signal) => new Pacer({ signal, tenant: 'test' })

describe('plain reading', () => {
  for (const [name, text, expected] of [
    ['plain text', 'Ignore it.', 'Ignore it.'],
    ['invisible characters', 'ig\u200bno\u00adre', 'ignore'],
    ['full-width letters', 'ｉｇｎｏｒｅ', 'ignore'],
    ['digits of other scripts', '٤１𝟏', '411'],
    ['spaces and dashes', 'a\u00a0b‑c', 'a b-c'],
    ['look-alikes beside Latin letters', 'ignоrе', 'ignore'],
    ['Greek look-alikes beside Latin letters', 'cυrl Βob', 'curl Bob'],
    ['another script', 'ждать', 'ждать'],
    ['marks on Latin letters and digits', 'i\u0332g\u0332n\u0332or\u0e31e 4\u0332', 'ignore 4'],
    ['accents that stand for themselves', 'cafe\u0301', 'cafe'],
    ['letters with accents', 'café', 'café'],
    ['marks that a script needs', 'हिन्दी がき', 'हिन्दी がき'],
    ['syllables in parts', '지시를 가각 값'.normalize('NFD'), '지시를 가각 값'],
    ['keycaps', '4\ufe0f\u20e31\u20e3', '41'],
    ['circled digits', '❶⓵⑴➀➊①⓪⓿⒈🄂 ⑩⑽⓫', '1111110011 101011'],
    ['letters in circles, squares and brackets', '🅐🄰🅰ⓐ⒜🄐', 'AAAaaA'],
    ['small capitals', 'ɪɢɴᴏʀᴇ', 'ignore'],
    ['regional indicators', '🇮🇬🇳🇴🇷🇪 🇮 🇩\u200b🇪', 'IGNORE I DE'],
    ['flags', '🇩🇪🇫🇷 🇺🇸', '🇩🇪🇫🇷 🇺🇸'],
    ['control characters', 'ig\0no\b\x1br\x7fe\u0090', 'ignore'],
    ['what ends lines and parts words', 'a\tb\nc\rd\ve\ff\u0085g\u2028h', 'a\tb\nc\rd\ve\ff\ng\nh'],
    ['blanks of Braille', 'ignore\u2800it', 'ignore it'],
    ['broken characters and tones of skin', 'i\ufffdg\u{1f3fb}n\u{1f3ff}ore', 'ignore'],
    ['private, missing and reserved characters', 'i\ue000g\ufdd0n\u0378o\ufffcr\u{10ffff}e', 'ignore'],
    ['characters that nothing is shown for', 'ig\u2065no\u{e0100}re\u{1d159}', 'ignore'],
    ['look-alikes beside nothing but digits', '4О12 ВЕ68', '4O12 BE68'],
    ['words of another script with digits', 'карта4111 4111я', 'карта4111 4111я'],
    ['halves of pairs', 'ig\ud83dno\udc00re', 'ignore'],
  ] as const)
    it(`folds ${name}`, async () => {
      expect((await plainReading(text, pacerOf())).text).to.equal(expected)
      expect(plainText(text)).to.equal(expected)
    })

  for (const [last, expected] of [
    ['folded', 'a 4op'],
    ['kept', 'a 4ор'],
  ] as const)
    it(`reads the last word of a text that may go on: ${last}`, async () => {
      expect((await plainReading('a 4ор', pacerOf(), last)).text).to.equal(expected)
    })

  it('keeps the places of the original', async () => {
    const text = '👍🏽 ig\u200bnоre!'
    const reading = await plainReading(text, pacerOf())
    const start = reading.text.indexOf('ignore')
    const { start: from, end: to } = reading.sourceOf({ start, end: start + 6 })
    expect(text.slice(from, to)).to.equal('ig\u200bnоre')
  })

  it('takes marks for parts of what they stand on', async () => {
    const reading = await plainReading('a 4\ufe0f\u20e3b', pacerOf())
    expect(reading.sourceOf({ start: 2, end: 3 })).to.deep.equal({ start: 2, end: 5 })
  })

  const length = 2 ** 22
  for (const [name, part] of [
    ['words of which each is short', `${'x'.repeat(61)}é ${'x'.repeat(59)}é `],
    ['one word', 'é'],
  ] as const)
    it(`is made in turns with other work of ${name}`, async () => {
      const text = part.repeat(Math.ceil(length / part.length))
      // One by one, word by word, and put together.
      expect(await countTurns((pacer) => plainReading(text, pacer))).to.be.at.least(3 * 250)
    }).timeout(30_000)

  it('stops when the call is aborted', async () => {
    const controller = new AbortController()
    const reading = plainReading('é'.repeat(5_000_000), pacerOf(controller.signal))
    controller.abort(new Error('enough'))
    const error: unknown = await reading.catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(Error).with.property('message', 'enough')
  }).timeout(30_000)
})
