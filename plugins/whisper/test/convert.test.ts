import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { toHalf } from '@sallyport/kit/numbers'
import { convertedModel } from '../src/graph/convert.js'
import { quantize } from '../src/graph/int8.js'
import { melFilters } from '../src/graph/spectrum.js'
import { temporaryFolder } from './support/files.js'
import { parrotModel, parrotVocabulary } from './support/parrot.js'

const hash = (name: string, bytes: Buffer) => createHash(name).update(bytes).digest('hex')

describe('a model of CTranslate2', () => {
  const file = temporaryFolder()
  const words = ['one', 'two']
  const made = (name: string, model: Uint8Array, vocabulary = parrotVocabulary(words)) => {
    const directory = join(file.folder, name)
    const files = { model: file(model), vocabulary: file(vocabulary), config: undefined }
    return { directory, files, convert: () => convertedModel(files, 'int8', directory, () => undefined) }
  }

  it('is converted once, and nothing else is left behind', () => {
    const { directory, files, convert } = made('once', parrotModel(words, 1))
    const { encoderPath, decoderPath } = convert()
    const folder = dirname(encoderPath)
    expect(dirname(decoderPath)).to.equal(folder)
    expect(readdirSync(folder).sort()).to.deep.equal(['decoder.onnx', 'encoder.onnx', 'weights'])
    const digest = () => readdirSync(folder).map((name) => hash('sha256', readFileSync(join(folder, name))))
    const before = digest()
    let again = 0
    expect(convertedModel(files, 'int8', directory, () => again++).encoderPath).to.equal(encoderPath)
    expect(again).to.equal(0)
    expect(digest()).to.deep.equal(before)
    expect(readdirSync(directory)).to.have.length(1)
  })

  it('is converted anew when its file is another one, and for other weights', () => {
    const { files, directory, convert } = made('changed', parrotModel(words, 1))
    const first = convert().encoderPath
    expect(convertedModel(files, 'float32', directory, () => undefined).encoderPath).to.not.equal(first)
    writeFileSync(files.model, parrotModel(['three'], 2))
    expect(convert().encoderPath).to.not.equal(first)
  })

  it('is refused without its vocabulary', () => {
    const { files, directory } = made('alone', parrotModel(words, 1))
    const convert = () => convertedModel({ ...files, vocabulary: undefined }, 'int8', directory, () => undefined)
    expect(convert).to.throw(/vocabulary\.txt/)
  })

  const model = parrotModel(words, 1)
  const renamed = Buffer.from(model)
  renamed.write('OtherSpecif', renamed.indexOf('WhisperSpec'))
  const missing = Buffer.from(model)
  missing.write('x', missing.indexOf('encoder/layer_norm/gamma'))
  for (const [name, bytes, problem, vocabulary] of [
    ['is empty', Buffer.alloc(0), /cut off|not a/],
    ['is a text', Buffer.from('no model '.repeat(100)), /not a CTranslate2 model/],
    ['is another model', renamed, /not a Whisper model/],
    ['is cut off', model.subarray(0, model.length - 5000), /cut off/],
    ['lacks a tensor', missing, /encoder\/layer_norm\/gamma/],
    ['has a vocabulary without an end', model, /<\|endoftext\|>/, 'a\nb'],
    ['has a vocabulary that is not made of bytes', model, /does not encode a byte/, '日\n<|endoftext|>'],
  ] as const)
    it(`that ${name} is refused`, () => {
      const { directory, convert } = made(name, bytes, vocabulary)
      expect(convert).to.throw(problem)
      expect(readdirSync(file.folder).includes(name) ? readdirSync(directory) : []).to.deep.equal([])
    })
})

describe('numbers of a converted model', () => {
  it('halves are rounded as IEEE 754 says', () => {
    const halves = [0, 1, -2, 65_504, 65_520, 2 ** -24, 2 ** -26, 1 + 2 ** -11, 1 + 3 * 2 ** -11, NaN]
    expect(halves.map(toHalf)).to.deep.equal([0, 0x3c00, 0xc000, 0x7bff, 0x7c00, 1, 0, 0x3c00, 0x3c02, 0x7e00])
  })

  it('blocks of 8 bits are off by half a step at most', () => {
    const values = Float32Array.from({ length: 64 }, (_, index) => Math.sin(index) * (index < 32 ? 1 : 100))
    const { quants, scales } = quantize(values)
    expect(scales).to.have.length(2)
    for (let index = 0; index < 64; index += 1) {
      const block = Math.floor(index / 32)
      const step = Math.max(...values.subarray(block * 32, block * 32 + 32).map(Math.abs)) / 127
      const value = (quants[index]! - 128) * scales[block]!
      expect(Math.abs(value - (values[index] ?? 0))).to.be.at.most(0.51 * step)
    }
  })

  it('mel filters are those of librosa', () => {
    const filters = melFilters(80)
    // librosa.filters.mel(sr=16000, n_fft=400, n_mels=80): [0, 1], [0, 2], [1, 1], [79, 199]
    const at = (row: number, bin: number) => filters[row * 201 + bin]
    expect(at(0, 1)).to.be.closeTo(0.02486259, 1e-6)
    expect(at(1, 1)).to.be.closeTo(0.00199082, 1e-6)
    expect(at(0, 0)).to.equal(0)
  })
})
