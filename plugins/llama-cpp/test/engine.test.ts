import { expect } from 'chai'
import { isSallyportError } from '@sallyport/core'
import type { Sampling } from '@sallyport/core'
import { codeOf } from '@sallyport/stand-ins/errors'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import type { Engine } from '../src/engine/engine.js'
import { answerOf, loadEngine, stream, watchEvaluations } from './support/fixtures.js'
import type { Question } from './support/fixtures.js'
import { parrot } from './support/parrot.js'

const rhyme = ['Humpty ', 'Dumpty ', 'sat ', 'on ', 'a wall']
const euro = Buffer.from('€')
const family = Buffer.from('👨‍👩‍👧')

const sayings = [
  { after: ':', chunks: rhyme },
  {
    after: '=',
    chunks: [
      Buffer.concat([Buffer.from('5 '), euro.subarray(0, 1)]),
      Buffer.concat([euro.subarray(1), Buffer.from(' net')]),
    ],
  },
  { after: '+', chunks: [family.subarray(0, 5), family.subarray(5, 9), family.subarray(9)] },
  { after: '~', chunks: [Buffer.concat([Buffer.from('cut '), euro.subarray(0, 2)])] },
  { after: '.', chunks: ['tick ', 'tock '], endless: true },
]

describe('the engine', () => {
  const { write: file } = useTemporaryDirectory()
  let engine: Engine

  before(async function () {
    this.timeout(20_000)
    engine = await loadEngine(file('parrot.gguf', parrot(sayings)), { contextLength: 64 })
  })
  after(() => engine.stop())

  describe('text', () => {
    const cases: { name: string; question: Question; text: string; finish: string; stopSequence?: string }[] = [
      { name: 'ends where the model ends', question: {}, text: rhyme.join(''), finish: 'stop' },
      { name: 'is cut at maxTokens', question: { maxTokens: 2 }, text: 'Humpty Dumpty ', finish: 'length' },
      { name: 'may be empty', question: { maxTokens: 0 }, text: '', finish: 'length' },
      { name: 'of exactly maxTokens is cut', question: { maxTokens: 5 }, text: rhyme.join(''), finish: 'length' },
      { name: 'with room for the end is not', question: { maxTokens: 6 }, text: rhyme.join(''), finish: 'stop' },
      {
        name: 'ends at a stop sequence',
        question: { stop: ['sat'] },
        text: 'Humpty Dumpty ',
        finish: 'stop',
        stopSequence: 'sat',
      },
      {
        name: 'ends at a stop sequence over three tokens',
        question: { stop: ['ty sat o'] },
        text: 'Humpty Dump',
        finish: 'stop',
        stopSequence: 'ty sat o',
      },
      {
        name: 'ends at the first of several',
        question: { stop: ['wall', 'sat on', 'Dump'] },
        text: 'Humpty ',
        finish: 'stop',
        stopSequence: 'Dump',
      },
      {
        name: 'keeps what only began like a stop sequence',
        question: { stop: ['wallpaper', 'a wall!'] },
        text: rhyme.join(''),
        finish: 'stop',
      },
      {
        name: 'keeps it at maxTokens, too',
        question: { stop: ['Dumpty stood'], maxTokens: 2 },
        text: 'Humpty Dumpty ',
        finish: 'length',
      },
      { name: 'has characters that lie across tokens', question: { prompt: '=' }, text: '5 € net', finish: 'stop' },
      { name: 'has characters of many code points', question: { prompt: '+' }, text: '👨‍👩‍👧', finish: 'stop' },
      { name: 'leaves out a character that is not complete', question: { prompt: '~' }, text: 'cut ', finish: 'stop' },
    ]
    for (const { name, question, text, finish, stopSequence } of cases) {
      it(name, async () => {
        const { end, ...answer } = await answerOf(engine, question)
        expect(answer.text).to.equal(text)
        expect(end?.finish).to.equal(finish)
        expect(end?.stopSequence).to.equal(stopSequence)
        for (const chunk of answer.chunks) expect(chunk).not.to.match(/\p{Surrogate}|\uFFFD/u)
      })
    }

    it('comes token by token', async () => {
      expect((await answerOf(engine)).chunks).to.deep.equal(rhyme)
    })

    it('ends with length where the context ends', async () => {
      const { end } = await answerOf(engine, { prompt: 'on and on.' })
      expect(end?.finish).to.equal('length')
      expect(end?.usage).to.include({ promptTokens: 10, completionTokens: 54 })
    })
  })

  describe('sampling', () => {
    const tokenOf = (text: string) => 256 + 3 + sayings.flatMap(({ chunks }) => chunks as unknown[]).indexOf(text)
    const free: Sampling = { temperature: 2, topK: 0, topP: 1, minP: 0 }

    it('gives the same text for the same seed, and others for others', async () => {
      const texts: string[] = []
      for (const seed of [1, 1, 2, 3]) {
        texts.push((await answerOf(engine, { sampling: { ...free, seed }, maxTokens: 12 })).text)
      }
      expect(texts[0]).to.equal(texts[1])
      expect(new Set(texts).size).to.be.greaterThan(1)
    })

    const certain: [string, Sampling][] = [
      ['topK 1', { ...free, topK: 1 }],
      ['topP 0', { ...free, topP: 0 }],
      ['minP 1', { ...free, minP: 1 }],
    ]
    for (const [name, certainty] of certain) {
      it(`${name} leaves the most probable token only`, async () => {
        expect((await answerOf(engine, { sampling: certainty })).text).to.equal(rhyme.join(''))
      })
    }

    it('a bias of 100 forces a token, one outside the vocabulary is ignored', async () => {
      const logitBias = { [tokenOf('on ')]: 100, 999_999_999: 100 }
      expect((await answerOf(engine, { sampling: { temperature: 0, logitBias }, maxTokens: 3 })).text).to.equal(
        'on on on ',
      )
    })

    it('a bias of -100 forbids a token', async () => {
      const logitBias = { [tokenOf('Dumpty ')]: -100 }
      expect((await answerOf(engine, { sampling: { temperature: 0, logitBias }, maxTokens: 3 })).text).not.to.contain(
        'Dumpty',
      )
    })

    const penalties: Sampling[] = [{ frequencyPenalty: 2 }, { presencePenalty: 2 }]
    for (const penalty of penalties) {
      it(`${Object.keys(penalty)[0]} wears repetition out`, async () => {
        const weak = await loadEngine(file('weak.gguf', parrot(sayings, { lead: 1 })))
        const question = { prompt: '.', maxTokens: 12 }
        expect((await answerOf(weak, question)).text).to.equal('tick tock '.repeat(6))
        const penalised = await answerOf(weak, { ...question, sampling: { temperature: 0, ...penalty } })
        expect(penalised.text).not.to.contain('tick tock tick tock')
        expect((await answerOf(weak, question)).text).to.equal('tick tock '.repeat(6))
        await weak.stop()
      })
    }
  })

  describe('log-probabilities', () => {
    it('are those of the tokens of the text', async () => {
      const { text, logprobs } = await answerOf(engine, { topLogprobs: 3 })
      expect(logprobs.map(({ token }) => token).join('')).to.equal(text)
      for (const { token, logprob, top } of logprobs) {
        expect(top).to.have.length(3)
        expect(top?.[0]).to.include({ token, logprob })
        // the best token leads 8 logits over all others of the vocabulary
        expect(logprob).to.be.closeTo(-Math.log(1 + (engine.vocabulary.size - 1) * Math.exp(-8)), 1e-3)
      }
    })

    it('do not depend on the temperature', async () => {
      const ask = (temperature: number) => answerOf(engine, { topLogprobs: 1, sampling: { temperature, topK: 1 } })
      expect((await ask(2)).logprobs).to.deep.equal((await ask(0)).logprobs)
    })

    it('leave out the tokens of a stop sequence', async () => {
      const { logprobs } = await answerOf(engine, { topLogprobs: 0, stop: ['sat'] })
      expect(logprobs.map(({ token }) => token)).to.deep.equal(['Humpty ', 'Dumpty '])
      expect(logprobs[0]).not.to.have.property('top')
    })

    it('have the bytes of tokens that are not whole characters', async () => {
      const { logprobs } = await answerOf(engine, { prompt: '=', topLogprobs: 0 })
      expect(Buffer.concat(logprobs.map(({ bytes }) => Buffer.from(bytes!))).toString()).to.equal('5 € net')
    })
  })

  describe('the cache', () => {
    it('keeps a prompt, but for its last token', async () => {
      const question = { prompt: 'the same prompt twice:', tenant: 'cache' }
      const [first, second] = [await answerOf(engine, question), await answerOf(engine, question)]
      expect(first.end?.usage.cachedTokens).to.equal(0)
      expect(second.end?.usage.cachedTokens).to.equal(21)
      expect(second.text).to.equal(first.text)
    })

    it('keeps the answer, too', async () => {
      const first = await answerOf(engine, { prompt: 'a turn:', tenant: 'turns' })
      const tokens = Uint32Array.of(
        ...engine.vocabulary.tokenize('a turn:'),
        ...Array.from({ length: 5 }, (_, index) => 259 + index),
      )
      const prompt = Uint32Array.of(...tokens, ...engine.vocabulary.tokenize('and another:'))
      const second = await answerOf(engine, { prompt, tenant: 'turns' })
      expect(second.end?.usage.cachedTokens).to.equal(12)
      expect(second.text).to.equal(first.text)
    })

    it('gives a request to the sequence that begins like it', async () => {
      const [one, two] = ['first conversation:', 'second conversation:']
      await Promise.all([answerOf(engine, { prompt: one }), answerOf(engine, { prompt: two })])
      expect((await answerOf(engine, { prompt: two })).end?.usage.cachedTokens).to.equal(two.length - 1)
      expect((await answerOf(engine, { prompt: one })).end?.usage.cachedTokens).to.equal(one.length - 1)
    })

    it('is not shared between tenants', async () => {
      const prompt = 'a secret prompt:'
      await answerOf(engine, { prompt, tenant: 'alice' })
      expect((await answerOf(engine, { prompt, tenant: 'bob' })).end?.usage.cachedTokens).to.equal(0)
    })
  })

  describe('limits', () => {
    it('refuses a prompt that fills the context', async () => {
      expect(await codeOf(answerOf(engine, { prompt: 'x'.repeat(64) }))).to.equal('context_exceeded')
      expect((await answerOf(engine, { prompt: `${'x'.repeat(62)}:` })).text).to.equal('Humpty ')
    })

    it('answers as many as there are sequences at once, has others wait, and refuses more', async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => answerOf(engine, { prompt: 'go on.' })))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(4)
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as unknown)
      for (const error of refused) {
        expect(isSallyportError(error) && error.code).to.equal('overloaded')
        expect(isSallyportError(error) && error.retryAfter).to.be.within(1, 60)
      }
    })

    it('gives the answers of requests that run side by side as if they ran alone', async () => {
      const prompts = ['a:', 'b=', 'c+', 'd~']
      const together = await Promise.all(prompts.map((prompt) => answerOf(engine, { prompt })))
      for (const [index, prompt] of prompts.entries()) {
        expect((await answerOf(engine, { prompt })).text).to.equal(together[index]!.text)
      }
    })
  })

  describe('a request that is given up', () => {
    const busy = () => [stream(engine, { prompt: 'one.' }), stream(engine, { prompt: 'two.' })] as const

    it('before it begins is not begun', async () => {
      const reason = new Error('gone')
      expect(await answerOf(engine, {}, AbortSignal.abort(reason)).catch((error: unknown) => error)).to.equal(reason)
    })

    it('in decoding ends with the reason and frees its sequence', async () => {
      const controller = new AbortController()
      const reason = new Error('gone')
      const chunks: string[] = []
      const error: unknown = await (async () => {
        for await (const chunk of stream(engine, { prompt: 'on.' }, controller.signal)) {
          if ('text' in chunk && chunks.push(chunk.text) === 3) controller.abort(reason)
        }
        return undefined
      })().catch((thrown: unknown) => thrown)
      expect(error).to.equal(reason)
      expect((await answerOf(engine)).text).to.equal(rhyme.join(''))
    })

    it('by leaving the loop frees its sequence', async () => {
      for (const one of busy()) for await (const chunk of one) if ('text' in chunk) break
      expect((await answerOf(engine)).text).to.equal(rhyme.join(''))
    })

    it('in the queue is not begun and makes room', async () => {
      const running = busy().map((one) => one[Symbol.asyncIterator]())
      await Promise.all(running.map((one) => one.next()))
      const controller = new AbortController()
      const waiting = [1, 2].map(() => codeOf(answerOf(engine, {}, controller.signal)))
      expect(await codeOf(answerOf(engine))).to.equal('overloaded')
      controller.abort(new Error('gone'))
      expect(await Promise.all(waiting)).to.deep.equal(['Error: gone', 'Error: gone'])
      const next = answerOf(engine)
      await Promise.all(running.map((one) => one.return(undefined)))
      expect((await next).text).to.equal(rhyme.join(''))
    })

    it('in a long prompt ends at once and frees its sequence soon', async function () {
      this.timeout(20_000)
      const contextLength = 8192
      const long = await loadEngine(file('long.gguf', parrot(sayings, { contextLength })), {
        contextLength,
        parallel: 1,
        sliceMilliseconds: 20,
      })
      const controller = new AbortController()
      const sizes = watchEvaluations(long, (sizes) => {
        if (sizes.length === 3) controller.abort(new Error('gone'))
      })
      expect(await codeOf(answerOf(long, { prompt: 'x'.repeat(8000) }, controller.signal))).to.equal('Error: gone')
      const question = 'say:'
      expect((await answerOf(long, { prompt: question })).text).to.equal(rhyme.join(''))
      expect(Math.max(...sizes.slice(3)), 'no portion of the long prompt').to.equal(question.length)
      await long.stop()
    })
  })

  it('fails what is unfinished when it stops', async () => {
    const stopping = await loadEngine(file('stopping.gguf', parrot(sayings)))
    const running = codeOf(answerOf(stopping, { prompt: 'on.' }))
    await new Promise((resolve) => setTimeout(resolve, 5))
    await stopping.stop()
    expect(await running).to.equal('not_ready')
    expect(await codeOf(answerOf(stopping))).to.be.oneOf(['not_ready', 'Error: Model is disposed'])
  })
})
