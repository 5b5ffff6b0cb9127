import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { isSallyportError } from '@sallyport/core'
import type { Call, ChatMessage } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { LlamaCppCompletion } from '../src/completion.js'
import { LlamaCppEmbedding } from '../src/embedding.js'
import type { Engine } from '../src/engine/engine.js'
import { SliceTokenizer } from '../src/engine/slice-tokenizer.js'
import { ChatPrompt } from '../src/template/chat-prompt.js'
import { Renderer } from '../src/template/renderer.js'
import { LlamaCppTokens } from '../src/tokens.js'
import { loadEngine } from './support/fixtures.js'
import { parrot, plainTemplate } from './support/parrot.js'

const slice = 32 * 1024
const megabytes = 4_000_000
const signal = new AbortController().signal

const errorOf = async (promise: Promise<unknown>) => {
  const error: unknown = await promise.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  )
  return isSallyportError(error) ? { code: error.code, ...error.details, message: error.message } : error
}

/** Tokens are words with the space before them, and single characters; remembers what it was asked for. */
const wordsVocabulary = (separatesWords = true) => {
  const asked: string[] = []
  const idOf = (word: string) =>
    Array.from(word).reduce((sum, character) => (sum * 31 + character.codePointAt(0)!) >>> 0, 7)
  const tokenize = (text: string) => {
    asked.push(text)
    return Uint32Array.from(text.match(/ ?\p{L}+|[^]/gu) ?? [], idOf)
  }
  return { asked, separatesWords, tokenize }
}

const idsOf = (text: string) => wordsVocabulary().tokenize(text)

/** Many different words. */
const prose = (length: number) => {
  let text = ''
  for (let count = 0; text.length < length; count += 1) {
    text += ` ${String.fromCharCode(97 + (count % 26)).repeat(1 + (count % 7))}`
  }
  return text
}

/** Every pause is a turn of the event loop. */
const pausing = (signal: AbortSignal) => ({
  pause: async () => {
    await nextTurn()
    signal.throwIfAborted()
  },
})

describe('a long text', () => {
  const create = (limit: number, vocabulary = wordsVocabulary()) => ({
    ...vocabulary,
    tokenizer: new SliceTokenizer({ vocabulary, limit, pacer: pausing(signal) }),
  })

  it('that fits has the tokens of the whole', async () => {
    const text = prose(3 * slice)
    const { tokenizer } = create(40_000)
    expect(await tokenizer.tokenize(text)).to.deep.equal(idsOf(text))
  })

  it('that cannot fit is refused after the slices that show it', async () => {
    const { tokenizer, asked } = create(10_000)
    const error = await errorOf(tokenizer.tokenize(prose(megabytes)))
    expect(error).to.include({ code: 'context_exceeded', limit: 10_000, atLeast: true })
    expect(error).to.have.property('tokens').that.is.within(10_001, 20_000)
    expect(error).to.have.property('message').that.contains('at least')
    expect(Math.max(...asked.map(({ length }) => length))).to.be.at.most(slice)
    expect(asked).to.have.length(2)
  })

  it('counts with the tokens before it', async () => {
    const { tokenizer, asked } = create(10_000)
    expect(await errorOf(tokenizer.tokenize(prose(megabytes), 9_000))).to.include({ code: 'context_exceeded' })
    expect(asked).to.have.length(1)
    expect(await errorOf(tokenizer.tokenize('short', 10_001))).to.include({ code: 'context_exceeded', tokens: 10_001 })
    expect(asked).to.have.length(1)
  })

  it('is never more tokens in slices than as a whole', async () => {
    const text = 'long'.repeat(slice)
    const { tokenizer } = create(1)
    expect(await tokenizer.tokenize(text)).to.deep.equal(idsOf(text))
  })

  it('leaves turns of the event loop to others', async () => {
    let turns = 0
    const count = () => {
      turns += 1
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    await errorOf(create(100_000).tokenizer.tokenize(prose(megabytes)))
    clearImmediate(timer)
    expect(turns).to.be.at.least(8)
  })

  it('is given up between slices', async () => {
    const controller = new AbortController()
    const vocabulary = wordsVocabulary()
    const tokenizer = new SliceTokenizer({ vocabulary, limit: 1_000_000, pacer: pausing(controller.signal) })
    setImmediate(() => controller.abort(new Error('gone')))
    expect(await errorOf(tokenizer.tokenize(prose(megabytes)))).to.have.property('message', 'gone')
    expect(vocabulary.asked.length).to.be.below(4)
  })

  it('is not cut inside a character', async () => {
    const { tokenizer, asked } = create(100)
    await errorOf(tokenizer.tokenize(`a${'👍'.repeat(slice)}`))
    for (const text of asked) expect(text).not.to.match(/\p{Surrogate}/u)
  })

  for (const side of ['left', 'right'] as const) {
    it(`that is cut on the ${side} is tokenized as far as needed, with the tokens of the whole`, async () => {
      const text = prose(megabytes)
      const { tokenizer, asked } = create(10_000)
      const tokens = await tokenizer.truncate(text, side)
      const [kept, expected] =
        side === 'right'
          ? [tokens.slice(0, 10_000), idsOf(text).slice(0, 10_000)]
          : [tokens.slice(-10_000), idsOf(text).slice(-10_000)]
      expect(kept).to.deep.equal(expected)
      expect(Math.max(...asked.map(({ length }) => length))).to.be.at.most(3 * slice)
    })
  }

  it('comes in slices between words, each tokenized once, with the tokens of the whole', async () => {
    const text = prose(10 * slice)
    const { tokenizer, asked } = create(70_000)
    expect(await tokenizer.tokenize(text)).to.deep.equal(idsOf(text))
    expect(asked.join('')).to.equal(text)
    expect(Math.max(...asked.map(({ length }) => length))).to.be.at.most(slice)
  })

  it('that has no place between words, or no words, is tokenized in one go', async () => {
    const dense = create(Infinity)
    await dense.tokenizer.tokenize('x'.repeat(2 * slice))
    expect(dense.asked).to.have.length(1)
    const joined = create(Infinity, wordsVocabulary(false))
    await joined.tokenizer.tokenize(prose(2 * slice))
    expect(joined.asked).to.have.length(1)
  })

  it('without places between words is counted in slices before it is tokenized', async () => {
    const { tokenizer, asked } = create(10_000, wordsVocabulary(false))
    expect(await errorOf(tokenizer.tokenize(prose(megabytes)))).to.include({ code: 'context_exceeded', atLeast: true })
    expect(Math.max(...asked.map(({ length }) => length))).to.be.at.most(slice)
  })
})

describe('a prompt of megabytes', () => {
  const { write: file } = useTemporaryDirectory()
  const call: Call = { signal, deadline: Infinity, requestId: 'test', tenant: 'tests' }
  let engine: Engine
  let renderer: Renderer
  let asked: number[]

  before(async function () {
    this.timeout(20_000)
    const contextLength = 512
    const model = parrot([{ chunks: ['Hello ', 'there'] }], { contextLength, forEmbeddings: false })
    engine = await loadEngine(file('parrot.gguf', model), { contextLength, embeddings: true })
    renderer = new Renderer({ model: 'parrot', template: plainTemplate })
    const { vocabulary } = engine
    const tokenize = vocabulary.tokenize.bind(vocabulary)
    vocabulary.tokenize = (text) => {
      asked.push(text.length)
      return tokenize(text)
    }
  })
  beforeEach(() => (asked = []))
  after(async () => {
    await renderer.stop()
    await engine.stop()
  })

  const expectRefused = async (promise: Promise<unknown>, calls: number) => {
    expect(await errorOf(promise)).to.include({ code: 'context_exceeded', atLeast: true })
    expect(Math.max(0, ...asked)).to.be.at.most(slice)
    expect(asked.length).to.be.at.most(calls)
  }

  const completionOf = (prompt: string) => new LlamaCppCompletion(engine).stream({ prompt }, call).next()

  const conversations: [what: string, messages: ChatMessage[], calls: number][] = [
    ['one message', [{ role: 'user', content: 'x'.repeat(megabytes) }], 0],
    ['many messages', Array.from({ length: 1000 }, () => ({ role: 'user', content: 'x'.repeat(4000) })), 0],
    [
      'what the model said',
      [
        { role: 'assistant', content: 'x'.repeat(megabytes) },
        { role: 'user', content: 'and?' },
      ],
      1,
    ],
  ]
  for (const [what, messages, calls] of conversations) {
    it(`is refused before all of it is tokenized: ${what}`, async () => {
      const prompt = new ChatPrompt(renderer, engine.vocabulary, engine.shape.contextLength)
      await expectRefused(prompt.tokens({ messages }, { tenant: 'a', signal }), calls)
    })
  }

  it('does not count the white space that templates leave out', async () => {
    const trimming = plainTemplate.replace('message.content', 'message.content | trim')
    const renderer = new Renderer({ model: 'parrot', template: trimming })
    const prompt = new ChatPrompt(renderer, engine.vocabulary, engine.shape.contextLength)
    const [short, long] = ['Hi', `Hi${' '.repeat(100_000)}`].map((content) =>
      prompt.tokens({ messages: [{ role: 'user', content }] }, { tenant: 'a', signal }),
    )
    expect(await long).to.deep.equal(await short)
    await renderer.stop()
  })

  it('is refused before all of it is tokenized: a text to complete', () =>
    expectRefused(completionOf('x'.repeat(megabytes)), 1))

  it('is refused before all of it is tokenized: a text to embed', () =>
    expectRefused(embedding().embed({ inputs: [{ text: 'x'.repeat(megabytes) }] }, call), 1))

  it('is tokenized as far as it is embedded', async () => {
    const embed = (text: string) => embedding().embed({ inputs: [{ text }], truncate: 'right' }, call)
    const [long, short] = [await embed('abc'.repeat(megabytes)), await embed('abc'.repeat(200))]
    expect(long).to.deep.equal(short)
    expect(Math.max(...asked)).to.be.at.most(2 * slice)
  })

  it('is tokenized in portions when its tokens are asked for', async () => {
    const text = 'word '.repeat(20_000)
    const { tokens } = await new LlamaCppTokens(engine.vocabulary).tokenize({ text }, call)
    expect(tokens.map((token) => token.text).join('')).to.equal(text)
    expect(Math.max(...asked)).to.be.at.most(slice)
  })

  it('knows how much text a token stands for at most', () => {
    expect(engine.vocabulary.maxTokenLength).to.equal('<|begin|>'.length)
  })

  const embedding = () =>
    new LlamaCppEmbedding(engine.embedder!, engine.vocabulary, {
      dimensions: [],
      prefixes: { query: '', document: '' },
    })
})
