import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { factuality, injection, pii, toxicity } from '@sallyport/checks'
import { timed } from '@sallyport/stand-ins/timed'
import { expect } from 'chai'
import { capabilities } from '@sallyport/core'
import type { ChatRequest, Finding, InspectionRequest, Detector } from '@sallyport/core'
import { collect } from '@sallyport/kit/generation'
import { collectChunks, testCall } from '../../src/index.js'
import reference, {
  ByteTokens,
  CoverageFactuality,
  EchoChat,
  LoudnessTranscription,
  MarkovCompletion,
  PatternPii,
  PlainExtraction,
  TrigramEmbedding,
  WordToxicity,
} from '../../src/reference/index.js'
import { wavOf } from '../../src/conformance/audio.js'
import { luhn } from '../../src/reference/pii.js'

const echo = async (request: Partial<ChatRequest>) => {
  const messages: ChatRequest['messages'] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'one  two\nthree' },
  ]
  const { choices } = await collect(new EchoChat({ delay: 0 }).stream({ messages, ...request }, testCall()))
  return choices[0]
}

describe('the reference plugin', () => {
  it('brings one model for every capability', () => {
    const provided = Object.values(reference.models ?? {}).map(({ capability }) => capability.name)
    expect(provided).to.have.members(
      [...Object.values(capabilities), factuality, injection, pii, toxicity].map(({ name }) => name),
    )
  })

  it('waits as long before each chunk as it is told to', async () => {
    const messages: ChatRequest['messages'] = [{ role: 'user', content: 'one two three' }]
    const begin = performance.now()
    await collectChunks(new EchoChat({ delay: 20 }).stream({ messages }, testCall()))
    expect(performance.now() - begin).to.be.above(55)
  })

  it('ends such a wait at once when it is aborted', async () => {
    const controller = new AbortController()
    const messages: ChatRequest['messages'] = [{ role: 'user', content: 'one' }]
    const call = testCall({ signal: controller.signal })
    const reading = collectChunks(new EchoChat({ delay: 60_000 }).stream({ messages }, call))
    controller.abort(new Error('gone'))
    expect(await reading.catch((error: unknown) => error)).to.have.property('message', 'gone')
  })
})

describe('the reference chat', () => {
  it('repeats the last message, white space included', async () => {
    expect(await echo({})).to.deep.equal({ text: 'one  two\nthree', finish: 'stop' })
  })

  it('begins elsewhere with another seed, when it may', async () => {
    const texts = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (seed) => (await echo({ seed, temperature: 1 }))?.text),
    )
    expect(new Set(texts).size).to.be.above(1)
  })

  it('keeps within maxTokens when it reasons or calls a tool, too', async () => {
    const tools = [{ name: 'say', parameters: { type: 'object', properties: { text: { type: 'string' } } } }]
    expect(await echo({ maxTokens: 2, reasoningEffort: 'low' })).to.include({
      reasoning: ' The answer',
      finish: 'length',
    })
    expect(await echo({ maxTokens: 1, tools, toolChoice: 'required' })).to.have.property('finish', 'length')
  })

  it('calls the tool that it must call, and answers by a schema', async () => {
    const schema = {
      type: 'object',
      properties: { text: { type: 'string' }, unit: { enum: ['C', 'F'] }, n: { type: 'integer' } },
      required: ['n', 'more'],
    }
    const filled = { text: 'one  two\nthree', unit: 'C', n: 1, more: {} }
    const called = await echo({ tools: [{ name: 'say', parameters: schema }], toolChoice: 'required' })
    expect(JSON.parse(called?.toolCalls?.[0]?.arguments ?? '')).to.deep.equal(filled)
    const answered = await echo({ responseFormat: { type: 'json_schema', schema, strict: true } })
    expect(JSON.parse(answered?.text ?? '')).to.deep.equal(filled)
  })
})

describe('the reference backends of files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reference-'))
  const fileOf = (contents: string | Buffer) => {
    const file = join(folder, 'file')
    writeFileSync(file, contents)
    return file
  }
  after(() => rmSync(folder, { recursive: true }))

  it('number speakers as they come', async () => {
    const tones = [0.1, 0.9].map((amplitude, at) => ({ start: at, end: at + 0.5, amplitude }))
    const request = { file: fileOf(wavOf(2, tones)), diarization: true }
    const chunks = await collectChunks(new LoudnessTranscription({ delay: 0 }).stream(request, testCall()))
    const speakers = chunks.flatMap((chunk) => ('segment' in chunk ? [chunk.segment.speaker] : []))
    expect(speakers).to.deep.equal(['SPEAKER_00', 'SPEAKER_01'])
  })

  it('put no heading above another one of its level, though a level is left out', async () => {
    const file = fileOf('# A\n\n### B\n\n### C\n\ntext\n')
    const request = { file, fileName: 'a.md', format: 'markdown', chunkSize: 100 } as const
    const { headings, parts } = await new PlainExtraction({ delay: 0 }).extract(request, testCall())
    expect(parts.at(-1)?.headings?.map((place) => headings[place])).to.deep.equal(['A', 'C'])
  })
})

describe('a schema that the reference chat cannot answer by', () => {
  const schemas: [string, object, string][] = [
    ['with an empty enum', { enum: [] }, 'invalid_request'],
    ['with an enum that is no list', { enum: 5 }, 'invalid_request'],
    ['with one deep inside', { type: 'object', properties: { a: { enum: [] } } }, 'invalid_request'],
    ['of an unknown type', { type: 'money' }, 'unsupported'],
    ['with a property that no value fits', { properties: { a: false } }, 'unsupported'],
  ]
  for (const [name, schema, code] of schemas)
    it(`${name} is refused`, async () => {
      const answer = echo({ responseFormat: { type: 'json_schema', schema, strict: true } })
      expect(await answer.catch((error: unknown) => error)).to.include({ code })
    })

  it('without properties is that of an empty object', async () => {
    const schema = { type: 'object', properties: null }
    const answer = await echo({ responseFormat: { type: 'json_schema', schema, strict: true } })
    expect(answer?.text).to.equal('{}')
  })
})

describe('a reference language model', () => {
  const words = (count: number) => 'word '.repeat(count).trim()
  const answers = {
    completion: (prompt: string) =>
      collect(new MarkovCompletion({ delay: 0 }).stream({ prompt, maxTokens: 2 ** 31 - 1 }, testCall())),
    chat: (content: string) =>
      collect(new EchoChat({ delay: 0 }).stream({ messages: [{ role: 'user', content }] }, testCall())),
  }
  const { contextLength: room } = MarkovCompletion
  const cases: [keyof typeof answers, number, number][] = [
    ['completion', room - 5, 5],
    ['completion', room, 0],
    ['chat', EchoChat.contextLength - 7, 7],
  ]
  for (const [kind, prompt, left] of cases)
    it(`for ${kind} ends when its context is full: ${left} words after ${prompt}`, async () => {
      const { choices, usage } = await answers[kind](words(prompt))
      expect(choices[0]).to.have.property('finish', 'length')
      expect(usage).to.include({ promptTokens: prompt, completionTokens: left })
    })
})

describe('the reference embedding', () => {
  it('names the image that it refuses', async () => {
    const inputs = [{ text: 'red' }, { image: new Uint8Array(1), mediaType: 'image/png' }]
    const refusal = await new TrigramEmbedding({ delay: 0 })
      .embed({ inputs }, testCall())
      .catch((error: unknown) => error)
    expect(refusal).to.have.nested.property('details.field', 'inputs[1]')
  })
})

describe('the reference completion', () => {
  it('continues with words that follow in its corpus', async () => {
    const request = { prompt: 'Once there was a White', maxTokens: 3 }
    const { choices } = await collect(new MarkovCompletion({ delay: 0 }).stream(request, testCall()))
    expect(choices[0]).to.deep.equal({ text: ' Rabbit with pink', finish: 'length' })
  })
})

describe('the reference PII detector', () => {
  it('takes linear time on what is almost an address', async () => {
    const text = `${'a.'.repeat(100_000)}@`
    const { total } = await timed(() => new PatternPii({ delay: 0 }).inspect({ text }, testCall()))
    expect(total).to.be.below(1000)
  })
})

describe('the reference detectors', function () {
  this.timeout(60_000)
  const million = 1_000_000

  const detectors: [string, Detector, InspectionRequest, number][] = [
    ['toxicity', new WordToxicity({ delay: 0 }), { text: 'scum '.repeat(million) }, 0.8],
    ['pii', new PatternPii({ delay: 0 }), { text: 'a@b.cc '.repeat(million) }, 1],
    ['factuality', new CoverageFactuality({ delay: 0 }), { text: '1 . '.repeat(million), reference: 'x' }, 1],
  ]
  for (const [name, detector, request, score] of detectors)
    it(`for ${name} report a million findings`, async () => {
      const inspection = await detector.inspect(request, testCall())
      expect(inspection.findings.length).to.equal(million)
      expect(inspection.score).to.equal(score)
    })

  it('replace half a million findings in linear time', async () => {
    const detector = new PatternPii({ delay: 0 })
    const text = 'a@b.cc '.repeat(million / 2)
    const { findings } = await detector.inspect({ text }, testCall())
    const { result: replaced, total } = await timed(() =>
      detector.replace({ text, findings, method: 'mask' }, testCall()),
    )
    expect(total).to.be.below(10_000)
    expect(replaced.text).to.equal('* '.repeat(million / 2))
  })

  it('replace half a million addresses by others, and let other work run meanwhile', async () => {
    const detector = new PatternPii({ delay: 0 })
    const text = Array.from({ length: million / 2 }, (_, index) => `ab@c${index}.de `).join('')
    const { findings } = await detector.inspect({ text }, testCall())
    const {
      result: replaced,
      total,
      longest,
    } = await timed(() => detector.replace({ text, findings, method: 'random' }, testCall()))
    expect(total).to.be.below(10_000)
    expect(longest).to.be.below(2000)
    expect(replaced.text).to.have.length(text.length)
    expect(replaced.text.slice(0, 10)).to.match(/^[a-z]{2}@[a-z]\d\.[a-z]{2} /)
  })

  const span = (start: number, end: number, score = 1) => ({ type: 'X', start, end, score })
  const overlaps: [string, Finding[], string][] = [
    ['the longest', [span(0, 3), span(2, 8), span(7, 9)], 'ab<X>ij'],
    ['one inside another', [span(2, 4), span(0, 8)], '<X>ij'],
    ['the better of two of one length', [span(0, 4, 0.5), span(2, 6)], 'ab<X>ghij'],
    ['those that only touch', [span(0, 2), span(2, 4)], '<X><X>efghij'],
  ]
  for (const [name, findings, text] of overlaps)
    it(`replace, where findings overlap, ${name}`, async () => {
      const request = { text: 'abcdefghij', findings, method: 'category' } as const
      expect((await new PatternPii({ delay: 0 }).replace(request, testCall())).text).to.equal(text)
    })
})

describe('the reference tokenizer', function () {
  this.timeout(20_000)

  for (const [name, text] of [
    ['one word', 'x'.repeat(1_000_000)],
    ['digits', '1'.repeat(1_000_000)],
  ] as const)
    it(`takes a million characters of ${name} and lets other work run meanwhile`, async () => {
      let turns = 0
      const counting = setInterval(() => (turns += 1), 1)
      const { tokens } = await new ByteTokens({ delay: 0 }).tokenize({ text }, testCall())
      clearInterval(counting)
      expect(tokens.length).to.equal(text.length)
      expect(tokens.at(-1)).to.include({ start: text.length - 1, end: text.length })
      expect(turns).to.be.above(10)
    })
})

describe('the check of card numbers', () => {
  const numbers: [string, boolean][] = [
    ['4111 1111 1111 1111', true],
    ['5500-0000-0000-0004', true],
    ['378282246310005', true],
    ['4111 1111 1111 1112', false],
    ['79927398713', true],
    ['79927398710', false],
  ]
  for (const [number, valid] of numbers)
    it(`${valid ? 'accepts' : 'refuses'} ${number}`, () => {
      expect(luhn(number) === 0).to.equal(valid)
    })
})
