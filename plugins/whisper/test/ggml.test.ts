import { expect } from 'chai'
import { toFloat16 } from '@sallyport/kit/numbers'
import { FormatError } from '@sallyport/weights'
import { ggmlTypes } from '../src/weights/dequantize.js'
import { readCheckpoint } from '../src/weights/index.js'
import { ctranslate2File } from './support/ctranslate2.js'
import { temporaryFolder } from './support/files.js'
import { ggmlFile } from './support/ggml.js'
import { numbers } from './support/random.js'

const half = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(toFloat16([value])[0]!)
  return bytes
}
const fifths = (bits: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(bits)
  return bytes
}
/** Low halves count up, high ones down. */
const nibbles = Buffer.from(Array.from({ length: 16 }, (_, index) => index | ((15 - index) << 4)))
const low = Array.from({ length: 16 }, (_, index) => index)
const high = low.toReversed()

describe('blocks of ggml', () => {
  for (const [name, type, bytes, expected] of [
    ['q4_0', 2, [half(0.5), nibbles], [...low, ...high].map((value) => (value - 8) * 0.5)],
    ['q4_1', 3, [half(0.5), half(-2), nibbles], [...low, ...high].map((value) => value * 0.5 - 2)],
    [
      'q5_0',
      6,
      [half(0.25), fifths(0x8000_0001), nibbles],
      [...low, ...high].map((value, at) => (value + (at === 0 || at === 31 ? 16 : 0) - 16) * 0.25),
    ],
    [
      'q5_1',
      7,
      [half(0.25), half(1), fifths(0x0001_0002), nibbles],
      [...low, ...high].map((value, at) => (value + (at === 1 || at === 16 ? 16 : 0)) * 0.25 + 1),
    ],
    [
      'q8_0',
      8,
      [half(0.125), Buffer.from(Int8Array.from({ length: 32 }, (_, index) => 8 * index - 128).buffer)],
      Array.from({ length: 32 }, (_, index) => (8 * index - 128) * 0.125),
    ],
    ['f16', 1, [half(1.5), half(-0.25)], [1.5, -0.25]],
  ] as const)
    it(`${name} are read`, () => {
      expect([...ggmlTypes.get(type)!.read(Buffer.concat(bytes))]).to.deep.equal(expected)
    })
})

describe('a file of whisper.cpp', () => {
  const file = temporaryFolder()
  const sizes = { width: 32, positions: 25, tokens: 16, vocabulary: 40, layers: 1, heads: 2 }
  const next = numbers(5)
  const model = file(ctranslate2File(sizes, (_, length) => Float32Array.from({ length }, next)))
  const checkpoint = readCheckpoint({ model, vocabulary: file('Ġa\nb\n<|endoftext|>'), config: undefined })
  const bytes = ggmlFile(checkpoint)
  const read = (content: Uint8Array) =>
    readCheckpoint({ model: file(content), vocabulary: undefined, config: undefined })

  it('is the same model as the file of CTranslate2 that it was made of', () => {
    const same = read(bytes)
    expect(same.dimensions).to.deep.equal(checkpoint.dimensions)
    expect(same.vocabulary).to.deep.equal([Buffer.from(' a'), Buffer.from('b')])
    expect([...same.tensors.keys()].sort()).to.deep.equal([...checkpoint.tensors.keys()].sort())
    for (const [name, { values }] of checkpoint.tensors)
      expect(same.tensors.get(name)!.values()).to.deep.equal(values())
  })

  it('has the heads of the upper half for alignment', () => {
    expect(read(bytes).alignmentHeads).to.deep.equal([
      { layer: 0, head: 0 },
      { layer: 0, head: 1 },
    ])
  })

  const changed = (change: (copy: Buffer) => void) => {
    const copy = Buffer.from(bytes)
    change(copy)
    return copy
  }
  for (const [name, content, problem] of [
    ['is cut off', bytes.subarray(0, bytes.length - 100), /cut off/],
    ['has an odd width', changed((copy) => copy.writeUInt32LE(33, 12)), /dimensions/],
    ['has heads that do not share the width', changed((copy) => copy.writeUInt32LE(5, 16)), /dimensions/],
    ['has a decoder of another width', changed((copy) => copy.writeUInt32LE(64, 28)), /differ in hidden size/],
    ['has a huge vocabulary', changed((copy) => copy.writeUInt32LE(2 ** 31, 4)), /dimensions/],
  ] as const)
    it(`that ${name} is refused`, () => expect(() => read(content)).to.throw(FormatError, problem))

  it('with numbers of another type is refused, and the types are named', () => {
    const content = ggmlFile(checkpoint, 12)
    expect(() => read(content)).to.throw(FormatError, /type 12; f32, f16, q4_0/)
  })
})
