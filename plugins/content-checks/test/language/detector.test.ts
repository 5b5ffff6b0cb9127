import { expect } from 'chai'
import { compileOptions } from '@sallyport/kit/schemas'
import { testCall } from '@sallyport/testing'
import { language } from '@sallyport/content-checks'
import { LanguageDetector } from '../../src/language/detector.js'

const detector = new LanguageDetector()
const inspect = (text: string, allow: readonly string[], before?: string) =>
  detector.inspect({ text, options: { allow }, ...(before === undefined ? {} : { before }) }, testCall())

const english = 'The service writes what it does to a log. Every line has the time, the level and a message.'
const german = 'Der Dienst schreibt in ein Protokoll, was er tut. Jede Zeile hat eine Uhrzeit und eine Meldung.'

describe('language', () => {
  const foreign: [name: string, text: string, allow: string[], type: string][] = [
    ['in another language', german, ['en'], 'de'],
    ['in another script', 'Отчёт готов и лежит на твоём столе.', ['en', 'de'], 'ru'],
    [
      'in a script that the library does not know',
      'ကျွန်တော်တို့သည် မနက်ဖြန် စာကြည့်တိုက်သို့ သွားပြီး စာအုပ်အသစ်များ ဖတ်ကြမည်',
      ['en'],
      'und',
    ],
    ['in a short sentence without spaces', '请告诉我这个怎么做才好', ['en'], 'zh'],
    ['in one paragraph of a long text', `${`${english}\n\n`.repeat(20)}${german}\n\n${english}`, ['en'], 'de'],
    ['in a code block', `\`\`\`\n${german}\n\`\`\``, ['en'], 'de'],
    ['in a string of JSON', JSON.stringify({ status: 'ok', answer: german }), ['en'], 'de'],
    ['in English where that is not allowed', english, ['de', 'ja'], 'en'],
  ]
  for (const [name, text, allow, type] of foreign)
    it(`finds a text ${name}`, async () => {
      const { score, findings, explanation } = await inspect(text, allow)
      expect(score).to.be.at.least(0.5)
      expect(explanation).to.equal(`has parts in ${type}`)
      expect(findings.map((finding) => finding.type)).to.deep.equal(findings.map(() => type))
    })

  const passing: [name: string, text: string, allow: string[]][] = [
    ['in an allowed language', german, ['en', 'de']],
    ['where a region or a script is named', 'O relatório está pronto e está em cima da mesa.', ['pt-BR']],
    ['in a relative that the library has another name for', 'Laporan itu sudah selesai dan ada di atas meja.', ['id']],
    ['of code', 'const fenster = await öffneFenster(breite)\nreturn fenster.größe;', ['en']],
    ['with names', 'I met Jürgen Müller and François Lefèvre at the Gare du Nord yesterday afternoon.', ['en']],
    [
      'with addresses',
      'See https://beispiel.de/der-bericht-ist-fertig/und-liegt-auf-dem-tisch for more of it.',
      ['en'],
    ],
    ['with a foreign word', 'She felt a certain schadenfreude when the whole plan was dropped.', ['en']],
  ]
  for (const [name, text, allow] of passing)
    it(`lets a text pass ${name}`, async () => {
      expect((await inspect(text, allow)).score).to.be.below(0.5)
    })

  it('says where the part is', async () => {
    const { findings } = await inspect(`${english}\n\n${german}`, ['en'])
    expect(Math.min(...findings.map(({ start }) => start))).to.equal(english.length + 2)
    expect(Math.max(...findings.map(({ end }) => end))).to.equal(english.length + 2 + german.length)
  })

  for (const text of ['', 'Bonjour!', '42', 'npm i --save x', '{"a": 1}'])
    it(`lets pass what is too short to tell, and says so: ${text}`, async () => {
      const { score, reason, findings } = await inspect(text, ['en'])
      expect({ score, reason, findings }).to.deep.equal({ score: 0, reason: 'too short', findings: [] })
    })

  it('tells a short part by what stands before it', async () => {
    const { findings } = await inspect('liegt bereit.', ['en'], 'Der Bericht, den du haben wolltest, ist fertig und ')
    expect(findings.map(({ start, end }) => [start, end])).to.deep.equal([[0, 13]])
    expect((await inspect('All right.', ['en'], `${german}\n\n`)).findings).to.deep.equal([])
  })

  for (const part of ['a', '.', '`', 'a/', '<', '"a b c d ', 'Aa '])
    it(`takes linear time for rows of ${part}`, async () => {
      const { user: before } = process.cpuUsage()
      await inspect(part.repeat(300_000 / part.length), ['en'])
      expect((process.cpuUsage().user - before) / 1000).to.be.below(5000)
    })

  it('fails closed where no language is allowed', async () => {
    const error = await detector.inspect({ text: english }, testCall()).catch((reason: unknown) => reason)
    expect(error).to.have.property('code', 'safeguard_unavailable')
  })
})

describe('options of language', () => {
  const check = compileOptions({ type: 'object', properties: language.check.options, required: ['allow'] })

  for (const allow of [['en'], ['pt-BR', 'zh-Hant-TW', 'nb']])
    it(`take ${allow.join(', ')}`, () => {
      expect(() => check({ allow })).not.to.throw()
    })

  for (const allow of [[], ['xx'], ['english'], ['en', 'en']])
    it(`refuse ${allow.join(', ') || 'none'}`, () => {
      expect(() => check({ allow })).to.throw()
    })
})
