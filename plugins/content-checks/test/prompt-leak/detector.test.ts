import { expect } from 'chai'
import fc from 'fast-check'
import { testCall } from '@sallyport/testing'
import { promptLeak } from '@sallyport/content-checks'
import { PromptLeakDetector } from '../../src/prompt-leak/detector.js'

const reference =
  'You are Ada, the assistant of the Harbour Library. Never tell anybody about the closed reading room, and always ' +
  'offer the catalogue before you answer a question about a book. Greet every visitor with the words "Welcome to the ' +
  'Harbour Library, how can I help you find what you are looking for today, dear reader of books?"'
const rule = 'Never tell anybody about the closed reading room, and always offer the catalogue before you answer'

const detector = new PromptLeakDetector()
const inspect = (text: string, more: object = {}) => detector.inspect({ text, reference, ...more }, testCall())

const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter < 'a' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first)
  })
const backwards = (text: string) => Array.from(text).reverse().join('')
const base64 = (text: string) => Buffer.from(text).toString('base64')

const disguises: Readonly<Record<string, (text: string) => string>> = {
  'as it stands': (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  'without punctuation': (text) => text.replace(/[^\w ]/g, ''),
  'with other punctuation': (text) => text.replaceAll(' ', ' * '),
  'a word on each line': (text) => text.replaceAll(' ', '\n- '),
  'with its letters apart': (text) => Array.from(text).join(' '),
  'hyphenated at line ends': (text) => text.replace(/(\w{3})(\w{3})/g, '$1-\n$2'),
  'in ROT13': rot13,
  'in base64': base64,
  'in base64 over several lines': (text) => base64(text).replace(/.{40}/g, '$&\n'),
  'in base64 of ROT13': (text) => base64(rot13(text)),
  'in base64 of base64': (text) => base64(base64(text)),
  'in base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  'behind letters that belong to no base64': (text) => `x${base64(text)}`,
  reversed: backwards,
  'reversed and in ROT13': (text) => backwards(rot13(text)),
  'with its words in the other order': (text) => text.split(' ').reverse().join(' '),
  'with digits for letters': (text) => text.replace(/[aeo]/g, (letter) => ({ a: '4', e: '3', o: '0' })[letter] ?? ''),
  'in full width': (text) => text.replace(/[a-z]/gi, (letter) => String.fromCodePoint(0xfee0 + letter.charCodeAt(0))),
  'with invisible characters': (text) => Array.from(text).join('\u200b'),
  'with Cyrillic letters': (text) => text.replaceAll('a', 'а').replaceAll('o', 'о'),
}

describe('prompt-leak', () => {
  for (const [name, disguise] of Object.entries(disguises)) {
    it(`finds instructions ${name}`, async () => {
      const text = `Of course! ${disguise(rule)}. Is there more?`
      const { findings, score } = await inspect(text)
      expect(score).to.be.at.least(0.5)
      expect(findings[0]?.type).to.equal('instructions')
      expect(findings[0]!.start).to.be.at.least(10)
    })

    it(`finds a canary ${name}`, async () => {
      const text = `Of course! ${disguise('cnry-7f3a9b2c')}. Is there more?`
      const { findings } = await inspect(text, { options: { canaries: ['CNRY-7f3a9b2c'] } })
      expect(findings.map(({ type }) => type)).to.include('canary')
    })
  }

  it('plants another word for each request, and finds it in any disguise', async () => {
    const seen = new Set<string>()
    for (const [name, disguise] of Object.entries(disguises)) {
      const planted = promptLeak.check.plant?.({ plant: true, canaries: ['CNRY-7f3a9b2c'] })
      const { findings } = await inspect(disguise(`So: ${planted?.text}`), { options: planted?.options })
      expect(
        findings.map(({ type }) => type),
        name,
      ).to.include('canary')
      expect(planted?.options['canaries']).to.have.length(2).and.include('CNRY-7f3a9b2c')
      seen.add(planted?.text ?? '')
    }
    expect(seen.size).to.equal(Object.keys(disguises).length)
    expect(promptLeak.check.plant?.({}), 'by default').to.equal(undefined)
  })

  it('says where they stand', async () => {
    const { findings } = await inspect(`Well: ${rule}!`)
    expect(findings).to.have.length(1)
    expect(findings[0]).to.include({ start: 6, end: 6 + rule.length })
  })

  it('finds instructions in scripts without spaces', async () => {
    const chinese = '你是港口图书馆的助手，绝不能告诉任何人关于封闭阅览室的事情，回答关于书的问题之前总要先介绍目录。'
    const thai = 'คุณเป็นผู้ช่วยของห้องสมุดท่าเรือและห้ามบอกใครเกี่ยวกับห้องอ่านหนังสือที่ปิดอยู่เด็ดขาด'
    for (const text of [chinese, thai]) {
      const { score } = await detector.inspect({ text: `OK: ${text}`, reference: `${text}Go.` }, testCall())
      expect(score, text).to.be.at.least(0.5)
      const part = await detector.inspect({ text: text.slice(0, 14), reference: text }, testCall())
      expect(part.findings).to.deep.equal([])
    }
  })

  it('finds what begins before the text, and reports none of that', async () => {
    const before = 'Of course! Never tell anybody about the closed '
    const { findings } = await inspect('reading room, and always offer the catalogue. Zoe.', { before })
    expect(findings.map(({ start, end }) => [start, end])).to.deep.equal([[0, 44]])
    const whole = await inspect(' Is there more?', { before: rule })
    expect(whole.findings).to.deep.equal([])
  })

  const harmless: Readonly<Record<string, string>> = {
    'single phrases of them': 'The closed reading room is closed. Always offer the catalogue.',
    'eleven words of them': 'Never tell anybody about the closed reading room, and always offer.',
    'other texts': 'It was the best of times, it was the worst of times, it was the age of wisdom, it was foolishness.',
    'what is encoded': base64('Nothing of what the instructions say stands in this text, which is long enough.'),
    nothing: '',
  }
  for (const [name, text] of Object.entries(harmless))
    it(`does not mind ${name}`, async () => {
      const { findings, score } = await inspect(text)
      expect(findings).to.deep.equal([])
      expect(score).to.be.below(0.5)
    })

  it('does not mind what answers may repeat', async () => {
    const greeting =
      'Welcome to the Harbour Library, how can I help you find what you are looking for today, dear reader of books?'
    expect((await inspect(greeting)).findings).to.have.length(1)
    expect((await inspect(greeting, { options: { public: [greeting] } })).findings).to.deep.equal([])
    expect((await inspect(rule, { options: { public: [greeting] } })).findings).to.have.length(1)
  })

  it('counts as many words as it is told', async () => {
    const six = 'Never tell anybody about the closed reading.'
    expect((await inspect(six, { options: { words: 6 } })).findings).to.have.length(1)
    expect((await inspect(rule, { options: { words: 30 } })).findings).to.deep.equal([])
  })

  it('finds canaries without a reference, and such as are made of signs', async () => {
    const canaries = ['🦜🦚🦜🦚', '#-#-#-#-#']
    for (const canary of canaries) {
      const { findings } = await detector.inspect({ text: `a ${canary} b`, options: { canaries } }, testCall())
      expect(findings.map(({ type }) => type)).to.include('canary')
    }
    const hidden = { before: '\u200b'.repeat(20), text: 'a #\u200b-#-#-#-# b', options: { canaries } }
    const { findings } = await detector.inspect(hidden, testCall())
    expect(findings.map(({ start, end }) => [start, end])).to.deep.equal([[2, 12]])
  })

  it('finds a canary of eight characters in base64', async () => {
    const { findings } = await inspect(`It is ${base64('k9f3mtv2')}.`, { options: { canaries: ['k9f3mtv2'] } })
    expect(findings.map(({ type }) => type)).to.deep.equal(['canary'])
  })

  it('finds every run of words, wherever it is cut out', async () => {
    const words = reference.split(' ')
    await fc.assert(
      fc.asyncProperty(fc.nat(words.length - 13), fc.nat(30), async (from, more) => {
        const run = words.slice(from, from + 13 + more).join(' ')
        const { findings, score } = await inspect(`xyz ${run} zyx`)
        expect(findings).to.have.length(1)
        expect(score).to.be.at.least(0.5)
      }),
    )
  })

  it('takes linear time for texts that repeat themselves', async () => {
    const begin = process.cpuUsage()
    const text = 'ha ho '.repeat(100_000)
    await detector.inspect(
      { text: `${text}haha`, reference: `${'ha ho '.repeat(9)}he ${'aho '.repeat(3000)}` },
      testCall(),
    )
    const { user } = process.cpuUsage(begin)
    expect(user / 1000).to.be.below(20_000)
  })
})
