import { expect } from 'chai'
import fc from 'fast-check'
import { randomNumbers } from '@sallyport/kit/numbers'
import { attempt, bestAttempt, choose, loopLength } from '../src/decode/attempt.js'
import type { Attempt } from '../src/decode/attempt.js'
import { LogitFilter } from '../src/decode/logit-filter.js'
import { completePart } from '../src/decode/transcriber.js'
import { Tokenizer } from '../src/decode/tokenizer.js'
import type { Decoder } from '../src/decode/decoder.js'
import { tinyVocabulary } from './support/vocabulary.js'

const tokenizer = tinyVocabulary([' a', 'th', 'the', ' the', ' ('])
const { end, start, firstTimestamp, size } = tokenizer
const a = tokenizer.encode('a')[0]!
const b = tokenizer.encode('b')[0]!
const time = (seconds: number) => firstTimestamp + Math.round(seconds * 50)

describe('the tokenizer', () => {
  for (const [text, tokens] of [
    ['the', ['the']],
    [' the a', [' the', ' a']],
    ['bathe', ['b', 'a', 'the']],
    ["ath's", ['a', 'th', "'", 's']],
    ['é', [Buffer.of(0xc3), Buffer.of(0xa9)]],
    ['', []],
  ] as const)
    it(`merges "${text}" in the order of its tokens`, () => {
      const bytes = tokenizer.encode(text).map((token) => tokenizer.bytes(token))
      expect(bytes).to.deep.equal(tokens.map((token) => Buffer.from(token as string)))
    })

  it('loses nothing of a text', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom('the', ' a', "'s", ' ', '\n', '12', 'é', '日', '👍', '—')), (parts) => {
        const text = parts.join('')
        const bytes = Buffer.concat(tokenizer.encode(text).map((token) => tokenizer.bytes(token)))
        expect(bytes.toString()).to.equal(text)
      }),
    ))

  it('has the special tokens where those of Whisper are', () => {
    const tokens = (count: number) => Array.from({ length: count }, () => Buffer.of(0))
    const english = new Tokenizer(tokens(50_256), 51_864)
    expect([english.end, english.start, english.firstTimestamp]).to.deep.equal([50_256, 50_257, 50_363])
    expect(english.multilingual).to.equal(false)
    const several = new Tokenizer(tokens(50_257), 51_865)
    expect([several.language('en'), several.language('su'), several.language('yue')]).to.deep.equal([
      50_259,
      50_357,
      undefined,
    ])
    expect(several.special('transcribe')).to.equal(50_359)
    expect(new Tokenizer(tokens(50_257), 51_866).language('yue')).to.equal(50_358)
  })

  it('is refused where it does not fit the model', () => {
    expect(() => new Tokenizer([Buffer.of(0)], 51_864)).to.throw(/vocabulary/)
  })
})

describe('what may come next', () => {
  const filter = new LogitFilter(tokenizer)
  /** Tokens that may, among these, when a text is likelier than a time. */
  const allowed = (said: readonly number[], among: readonly number[]) => {
    const logits = new Float32Array(size).fill(-20)
    for (const token of [b, end]) logits[token] = 0
    filter.apply(logits, said)
    return among.filter((token) => logits[token]! > -Infinity)
  }
  const all = [a, end, time(0), time(1), time(2), time(3)]

  for (const [name, said, expected] of [
    ['at first a time within a second', [], [time(0), time(1)]],
    ['text after the first time', [time(0)], [a, end]],
    ['text, or a later time, after text', [time(1), a], [a, end, time(2), time(3)]],
    ['the same time or a later one, or the end, after a time', [time(0), a, time(2)], [end, time(2), time(3)]],
    ['text after two times', [time(0), a, time(2), time(2)], [a, end]],
  ] as const)
    it(name, () => expect(allowed(said, all)).to.deep.equal(expected))

  it('never a sign that annotates, or a special token', () => {
    const never = [start, tokenizer.special('noSpeech'), tokenizer.encode('(')[0]!, tokenizer.encode(' (')[0]!]
    expect(allowed([time(0), a], never)).to.deep.equal([])
  })

  it('a time where times together are likelier than any text', () => {
    const logits = new Float32Array(size).fill(-100)
    logits[a] = 1
    for (const seconds of [2, 3, 4, 5]) logits[time(seconds)] = 0.5
    filter.apply(logits, [time(0), b])
    expect(logits[a]).to.equal(-Infinity)
    expect(logits[time(3)]).to.equal(0.5)
  })
})

describe('a choice', () => {
  const logits = Float32Array.of(1, 3, 2, -Infinity)

  it('is the likeliest token at temperature 0, with its probability', () => {
    const { token, logProbability } = choose(logits, 0, () => 0.99)
    expect(token).to.equal(1)
    expect(Math.exp(logProbability)).to.be.closeTo(Math.exp(3) / (Math.E + Math.exp(2) + Math.exp(3)), 1e-6)
  })

  it('is drawn by the probabilities at a higher one, the same each time', () => {
    const draw = () => {
      const random = randomNumbers(200)
      const counts = [0, 0, 0, 0]
      for (let count = 0; count < 4000; count += 1) counts[choose(logits, 1, random).token]! += 1
      return counts
    }
    const counts = draw()
    expect(draw()).to.deep.equal(counts)
    for (const [token, share] of [0.09, 0.665, 0.245, 0].entries())
      expect(counts[token]! / 4000).to.be.closeTo(share, 0.03)
  })
})

describe('phrases that are said over and over', () => {
  const times = (count: number, phrase: readonly number[]) => Array.from({ length: count }, () => phrase).flat()

  for (const [name, tokens, expected] of [
    ['a word', [1, 2, ...times(32, [3])], 1],
    ['a sentence', [9, ...times(4, [1, 2, 3, 4, 5, 6, 7, 8])], 8],
    ['not what is said a few times', [1, ...times(6, [2, 3])], undefined],
    ['not what has another end', [...times(20, [1, 2]), 3], undefined],
    ['nothing', [], undefined],
  ] as const)
    it(name, () => expect(loopLength(tokens)).to.equal(expected))

  it('are never found in tokens that all differ', () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { maxLength: 100 }), (tokens) => {
        expect(loopLength(tokens)).to.equal(undefined)
      }),
    ))
})

describe('a text', () => {
  /** Says these tokens, one after the other; what it remembers is how many there were. */
  const saying = (tokens: readonly number[], onStep: () => void = () => undefined, logit = 10) => {
    const logitsFor = (place: number) => {
      const logits = new Float32Array(size).fill(-20)
      logits[tokens[place] ?? end] = logit
      return logits
    }
    let steps = 0
    const next = () => {
      steps += 1
      onStep()
      return Promise.resolve({ cache: {}, logits: [logitsFor(steps)] })
    }
    return {
      decoder: { next } as unknown as Decoder,
      cache: {},
      logits: logitsFor(0),
      steps: () => steps,
    }
  }
  const filter = new LogitFilter(tokenizer)
  const write = ({ decoder, cache, logits }: ReturnType<typeof saying>, signal = new AbortController().signal) =>
    attempt({ decoder, tokenizer, filter, limit: 200, cache, logits, signal }, 0)

  it('is what the decoder says up to the end, with its probability', async () => {
    const said = await write(saying([time(0), a, b, time(2)]))
    expect(said.tokens).to.deep.equal([time(0), a, b, time(2)])
    expect(said.averageLogProbability).to.be.within(-0.01, 0)
    expect(said.looped).to.equal(false)
  })

  it('is stopped in a loop, and has the phrase once', async () => {
    const phrase = Array.from({ length: 9 }, (_, index) => tokenizer.encode('abcdefghi'[index]!)[0]!)
    const loop = saying([time(0), a, ...Array.from({ length: 20 }, () => phrase).flat()])
    const said = await write(loop)
    expect(said.tokens).to.deep.equal([time(0), a, ...phrase])
    expect(said.looped).to.equal(true)
    expect(loop.steps()).to.be.below(45)
  })

  it('has the average of all that was decoded, also where a loop was cut', async () => {
    const averageOf = async (tokens: readonly number[]) =>
      (await write(saying(tokens, undefined, -10))).averageLogProbability
    const [once, looped] = [await averageOf([time(0), a, b]), await averageOf([time(0), ...Array<number>(99).fill(a)])]
    expect(once).to.be.below(-0.02)
    expect(looped / once).to.be.within(0.5, 3)
  })

  it('is given up within a step of an abort', async () => {
    const controller = new AbortController()
    const speaker = saying([time(0), a, b, a, b, a, b], () => {
      if (speaker.steps() === 3) controller.abort(new Error('enough'))
    })
    const error: unknown = await write(speaker, controller.signal).catch((reason: unknown) => reason)
    expect(String(error)).to.equal('Error: enough')
    expect(speaker.steps()).to.equal(3)
  })
})

describe('attempts', () => {
  const made = (averageLogProbability: number, compressionRatio = 1, looped = false): Omit<Attempt, 'temperature'> => ({
    tokens: [],
    averageLogProbability,
    compressionRatio,
    looped,
  })
  const best = async (attempts: readonly Omit<Attempt, 'temperature'>[], temperature = 0, noSpeech = 0) => {
    const asked: number[] = []
    const chosen = await bestAttempt(temperature, noSpeech, (at) => {
      asked.push(Math.round(at * 10) / 10)
      return Promise.resolve({ ...attempts[Math.min(asked.length, attempts.length) - 1]!, temperature: at })
    })
    return { asked, chosen }
  }
  const temperatures = [0, 0.2, 0.4, 0.6, 0.8, 1]

  it('end with the first good one', async () => {
    expect((await best([made(-0.5)])).asked).to.deep.equal([0])
    expect((await best([made(-1.5), made(-0.2, 3), made(-0.3, 1, true), made(-0.9)])).asked).to.deep.equal([
      0, 0.2, 0.4, 0.6,
    ])
  })

  it('begin at the temperature that was asked for', async () => {
    expect((await best([made(-2)], 0.6)).asked).to.deep.equal([0.6, 0.8, 1])
    expect((await best([made(-2)], 1)).asked).to.deep.equal([1])
  })

  it('without a good one, the likeliest that does not repeat itself is taken', async () => {
    const { asked, chosen } = await best([made(-0.1, 5), made(-1.4), made(-1.2), made(-3), made(-0.1, 1, true)])
    expect(asked).to.deep.equal(temperatures)
    expect(chosen?.averageLogProbability).to.equal(-1.2)
  })

  it('are given up where nobody seems to speak and the text is improbable', async () => {
    expect(await best([made(-1.5)], 0, 0.7)).to.deep.equal({ asked: [0], chosen: undefined })
    expect((await best([made(-0.5)], 0, 0.7)).chosen?.averageLogProbability).to.equal(-0.5)
  })
})

describe('what is taken of a window', () => {
  for (const [name, tokens, expected] of [
    ['all up to its end', [time(0), a, time(28.5)], { tokens: [a], until: 29 }],
    ['all without a last time', [time(0), a, b], { tokens: [a, b], until: 29 }],
    [
      'what stands before a sentence that is not complete',
      [time(0), a, time(20), time(20), b],
      { tokens: [a], until: 20 },
    ],
    ['up to where the model stopped listening', [time(0), a, time(8)], { tokens: [a], until: 8 }],
    ['all where that is hardly anything', [time(0), a, time(0.5), time(0.5), b], { tokens: [a, b], until: 29 }],
  ] as const)
    it(name, () => expect(completePart(tokens, 29, tokenizer)).to.deep.equal(expected))
})
