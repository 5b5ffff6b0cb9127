import { expect } from 'chai'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { GgufError } from '../src/gguf/file-window.js'
import { readGgufHeader } from '../src/gguf/header.js'
import { estimateMemory, modelFacts } from '../src/gguf/model-facts.js'
import { readModelHeader } from '../src/gguf/parts.js'
import { answerOf, loadEngine } from './support/fixtures.js'
import { ggufKey, ggufStart, ggufTensor, ggufText, u64 } from './support/gguf-writer.js'
import { parrot, parrotParts } from './support/parrot.js'

const whole = parrot([{ chunks: ['Hello ', 'you'] }], { metadata: { 'llama.attention.head_count_kv': { u32: 1 } } })
const huge = 2n ** 55n
const words = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from(Uint32Array.of(value).buffer)))
const name = ggufKey('general.name', { text: 'x' })
const padding = Buffer.alloc(256)

/** What the file is, its bytes, and what the message must say. */
const malformed: [what: string, content: Buffer, problem: RegExp][] = [
  ['an empty file', Buffer.alloc(0), /too short/],
  ['random bytes', Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 251)), /does not begin/],
  ['a text', Buffer.from('{"this": "is JSON and long enough"}'), /does not begin/],
  ['version 1', Buffer.concat([Buffer.from('GGUF'), words(1, 0, 0, 0, 0)]), /version 1/],
  ['the other byte order', Buffer.concat([Buffer.from('GGUF'), words(0x03000000, 0, 0, 0, 0)]), /version/],
  ['24 bytes with 2^55 keys', ggufStart(0, huge), /claims 36028797018963968 metadata keys/],
  ['24 bytes with 2^55 tensors', ggufStart(huge, 0), /claims 36028797018963968 tensors/],
  ['65,537 keys', ggufStart(0, 65_537), /at most 65536/],
  ['1,000,001 tensors', ggufStart(1_000_001, 0), /at most 1000000/],
  ['no key where one is announced', ggufStart(0, 1), /truncated/],
  ['an empty key', Buffer.concat([ggufStart(0, 1), ggufKey('', { u32: 1 })]), /key 0 is empty/],
  ['a key of 2^60 bytes', Buffer.concat([ggufStart(0, 1), u64(2n ** 60n), padding]), /at most 65535 are allowed/],
  ['a key twice', Buffer.concat([ggufStart(0, 2), name, name]), /twice/],
  [
    'a text of 17 MiB',
    Buffer.concat([ggufStart(0, 1), ggufText('a'), words(8), u64(17 << 20), padding]),
    /at most 16777216 are allowed/,
  ],
  ['a text past the end', Buffer.concat([ggufStart(0, 1), ggufText('a'), words(8), u64(1000), padding]), /truncated/],
  ['an unknown value type', Buffer.concat([ggufStart(0, 1), ggufText('a'), words(99)]), /unknown type 99/],
  ['a boolean of 2', Buffer.concat([ggufStart(0, 1), ggufText('a'), words(7), Buffer.of(2)]), /boolean/],
  ['an array of 2^61 numbers', Buffer.concat([ggufStart(0, 1), ggufText('a'), words(9, 4), u64(2n ** 61n)]), /claims/],
  [
    'an array of 2^40 texts',
    Buffer.concat([ggufStart(0, 1), ggufText('a'), words(9, 8), u64(2n ** 40n), padding]),
    /claims/,
  ],
  ['an array of arrays', Buffer.concat([ggufStart(0, 1), ggufText('a'), words(9, 9), u64(1)]), /unknown type 9/],
  ['an alignment of 3', Buffer.concat([ggufStart(0, 1), ggufKey('general.alignment', { u32: 3 })]), /alignment/],
  ['an alignment of 0', Buffer.concat([ggufStart(0, 1), ggufKey('general.alignment', { u32: 0 })]), /alignment/],
  ['five dimensions', Buffer.concat([ggufStart(1, 0), ggufTensor('t', [1, 1, 1, 1, 1], 0, 0)]), /5 dimensions/],
  [
    'dimensions that overflow 64 bits',
    Buffer.concat([ggufStart(1, 0), ggufTensor('t', [huge, huge], 0, 0), padding]),
    /impossible/,
  ],
  [
    'a product that overflows to 0',
    Buffer.concat([ggufStart(1, 0), ggufTensor('t', [2n ** 32n, 2n ** 32n], 0, 0), padding]),
    /impossible/,
  ],
  ['an unknown tensor type', Buffer.concat([ggufStart(1, 0), ggufTensor('t', [32], 4, 0), padding]), /unknown type 4/],
  ['half a block', Buffer.concat([ggufStart(1, 0), ggufTensor('t', [48], 2, 0), padding]), /whole number of blocks/],
  ['an offset out of line', Buffer.concat([ggufStart(1, 0), ggufTensor('t', [4], 0, 5), padding]), /aligned/],
  [
    'an offset past the end',
    Buffer.concat([ggufStart(1, 0), ggufTensor('t', [4], 0, 2n ** 63n), padding]),
    /beyond the end/,
  ],
  ['a tensor past the end', Buffer.concat([ggufStart(1, 0), ggufTensor('t', [4096], 0, 0), padding]), /beyond the end/],
  [
    'a tensor twice',
    Buffer.concat([ggufStart(2, 0), ggufTensor('t', [1], 0, 0), ggufTensor('t', [1], 0, 32), padding]),
    /twice/,
  ],
  [
    'a tensor name of 64 bytes',
    Buffer.concat([ggufStart(1, 0), ggufTensor('t'.repeat(64), [1], 0, 0), padding]),
    /at most 63 are allowed/,
  ],
  ['a file cut in its header', whole.subarray(0, 1000), /claims 261 elements/],
  ['a file cut in its data', whole.subarray(0, -1000), /beyond the end/],
]

describe('the GGUF header', () => {
  const { write: file } = useTemporaryDirectory()

  for (const [what, content, problem] of malformed) {
    it(`refuses ${what}`, () => {
      const path = file('malformed.gguf', content)
      const started = performance.now()
      expect(() => readGgufHeader(path)).to.throw(GgufError, problem)
      expect(performance.now() - started).to.be.below(1000)
    })
  }

  it('refuses a file cut anywhere', () => {
    for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 50)) {
      expect(() => readGgufHeader(file('cut.gguf', whole.subarray(0, length)))).to.throw(GgufError)
    }
  })

  it('survives changed bytes', () => {
    for (let position = 0; position < 4000; position += 23) {
      const changed = Buffer.from(whole)
      changed[position] = changed[position]! ^ (1 << (position % 8))
      try {
        modelFacts(readGgufHeader(file('changed.gguf', changed)))
      } catch (error) {
        expect(error).to.be.instanceOf(GgufError)
      }
    }
  })

  it('tells what loading needs', () => {
    const facts = modelFacts(readGgufHeader(file('whole.gguf', whole)))
    expect(facts).to.include({
      architecture: 'llama',
      name: 'Parrot',
      contextLength: 512,
      blocks: 1,
      embeddingLength: 288,
      feedForwardLength: 32,
      vocabulary: 261,
      pooling: undefined,
      causal: true,
    })
    expect(facts.chatTemplate).to.contain('messages')
    // one block, one head for keys and values of 144 elements each, two bytes an element
    expect(facts.cacheBytesPerToken).to.equal(576)
  })

  it('estimates the memory for weights, cache and buffers', () => {
    const facts = modelFacts(readGgufHeader(file('whole.gguf', whole)))
    const { weights, cache, compute } = estimateMemory(facts, { contextLength: 100, parallel: 3, batch: 128 })
    expect(weights).to.be.closeTo(whole.length, 10_000)
    expect(cache).to.equal(576 * 300)
    expect(compute).to.be.greaterThan(128 * 4 * 261)
  })

  const notModels: [what: string, content: Buffer, problem: RegExp][] = [
    ['without an architecture', ggufStart(0, 0), /architecture/],
    [
      'without a vocabulary',
      Buffer.concat([ggufStart(0, 1), ggufKey('general.architecture', { text: 'llama' })]),
      /vocabulary/,
    ],
  ]
  for (const [what, content, problem] of notModels) {
    it(`is not enough for a model ${what}`, () => {
      expect(() => modelFacts(readGgufHeader(file('no-model.gguf', content)))).to.throw(GgufError, problem)
    })
  }
})

describe('a split model', () => {
  const { write: file } = useTemporaryDirectory()
  const sayings = [{ chunks: ['Hello ', 'you'] }]
  const parts = parrotParts(sayings, 3)
  const nameOf = (stem: string, index: number, count = 3) => `${stem}-0000${index + 1}-of-0000${count}.gguf`

  /** Path of the first part; without the parts that are left out, and with others in place of some. */
  const write = (stem: string, changed: readonly (Buffer | undefined)[] = parts): string => {
    const paths = changed.map((content, index) => (content ? file(nameOf(stem, index), content) : ''))
    return paths[0] ?? ''
  }

  it('is loaded from its first part', async () => {
    const engine = await loadEngine(write('parrot'))
    expect((await answerOf(engine)).text).to.equal('Hello you')
    await engine.stop()
  })

  it('needs the memory for all its parts', () => {
    const whole = modelFacts(readModelHeader(file('one.gguf', parrot(sayings))))
    expect(modelFacts(readModelHeader(write('parrot')))).to.deep.equal(whole)
  })

  const [first, second, third] = parts
  const bad: [what: string, parts: readonly (Buffer | undefined)[], problem: RegExp][] = [
    ['without one of its parts', [first, second], /part 3 of 3 .* not in the folder/],
    ['with a part twice', [first, second, second], /part 3 of 3 .* another/],
    ['with a part of another model', [first, second, parrot(sayings)], /part 3 of 3 .* another/],
    ['with a damaged part', [first, second?.subarray(0, -1000), third], /part 2 of 3 .*truncated/],
    ['that is named by a later part', [second, second, third], /name the first part/],
  ]
  for (const [index, [what, changed, problem]] of bad.entries()) {
    it(`${what} is refused`, () => {
      const path = write(`bad${index}`, changed)
      expect(() => readModelHeader(path)).to.throw(GgufError, problem)
    })
  }

  it('whose file has another name is refused', () => {
    for (const name of ['model.gguf', nameOf('model', 0, 4)]) {
      const path = file(name, parts[0] ?? Buffer.alloc(0))
      expect(() => readModelHeader(path)).to.throw(GgufError, /must be called NAME-00001-of-00003\.gguf/)
    }
  })
})
