import { truncateSync } from 'node:fs'
import { expect } from 'chai'
import fc from 'fast-check'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { fromFloat16, toFloat16 } from '@sallyport/kit/numbers'
import { buildOnnx, FormatError, modelProto } from '@sallyport/weights'
import type { OnnxGraph } from '@sallyport/weights'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { readOnnx, readOnnxFile } from '../src/format/read-onnx.js'
import { leavesFolder } from '../src/session/inspect.js'
import { tinyClassifier, tinyCrossEncoder, tinyEncoder, tinyPair, tinyTokenClassifier } from './support/tiny-models.js'

const doubling: OnnxGraph = {
  inputs: [{ name: 'x', type: 'FP32', shape: ['batch', 2] }],
  outputs: [{ name: 'y', type: 'FP32', shape: ['batch', 2] }],
  initializers: { two: { shape: [1], data: toFloat16([2]), type: 'FP16' } },
  nodes: [
    { op: 'Cast', inputs: ['two'], outputs: ['float'], attributes: { to: { int: 1 } } },
    { op: 'Mul', inputs: ['x', 'float'], outputs: ['y'] },
  ],
}

const run = async (bytes: Uint8Array, feeds: Record<string, Tensor>) => {
  const session = await InferenceSession.create(bytes)
  try {
    return await session.run(feeds)
  } finally {
    await session.release()
  }
}

const ints = (values: readonly number[][]) =>
  new Tensor('int64', BigInt64Array.from(values.flat(), BigInt), [values.length, values[0]!.length])

const feeds = (ids: readonly number[][], mask: readonly number[][], types?: readonly number[][]) => ({
  input_ids: ints(ids),
  attention_mask: ints(mask),
  ...(types && { token_type_ids: ints(types) }),
})

const close = (actual: ArrayLike<number>, expected: readonly number[]) => {
  expect(actual.length).to.equal(expected.length)
  expected.forEach((value, index) => expect(actual[index]).to.be.closeTo(value, 1e-5))
}

const externalTensor = (location: string) => ({ dataLocation: 1, externalData: [{ key: 'location', value: location }] })
const encodeModel = (graph: object, more: object = {}) =>
  modelProto.encode(modelProto.create({ irVersion: 8, opsetImport: [{ version: 17 }], graph, ...more })).finish()

describe('an ONNX file that is built', () => {
  it('is loaded by the runtime, half precision included', async () => {
    const { y } = await run(buildOnnx(doubling), { x: new Tensor('float32', [1, 2, 3, 4], [2, 2]) })
    close(y!.data as Float32Array, [2, 4, 6, 8])
  })

  it('is read again as what it was built from', () => {
    expect(readOnnx(buildOnnx(doubling))).to.deep.equal({
      inputs: [{ name: 'x', type: 'FP32', shape: [-1, 2] }],
      outputs: [{ name: 'y', type: 'FP32', shape: [-1, 2] }],
      externalData: [],
      wideningBytes: 2,
      metadata: {},
    })
  })

  it('tells what its author wrote down', () => {
    const metadataProps = [
      { key: 'character', value: 'a\nä\n語' },
      { key: '__proto__', value: 'x' },
    ]
    const { metadata } = readOnnx(encodeModel({}, { metadataProps }))
    expect(Object.entries(metadata)).to.deep.equal(metadataProps.map(({ key, value }) => [key, value]))
  })

  it('has no weights among its inputs, as older files do', () => {
    const graph = { initializer: [{ name: 'w' }], input: [{ name: 'x' }, { name: 'w' }] }
    expect(readOnnx(encodeModel(graph)).inputs.map(({ name }) => name)).to.deep.equal(['x'])
  })

  it('has as many elements as its shapes say', () => {
    const initializers = { two: { shape: [3], data: Float32Array.of(1) } }
    expect(() => buildOnnx({ ...doubling, initializers })).to.throw('a tensor of shape [3] has 1 elements')
  })
})

describe('reading an ONNX file', () => {
  const nested = { node: [{ opType: 'Constant', attribute: [{ name: 'value', t: externalTensor('deep.bin') }] }] }
  for (const [where, bytes] of Object.entries({
    initializers: encodeModel({ initializer: [externalTensor('deep.bin')] }),
    'sparse initializers': encodeModel({ sparseInitializer: [{ values: externalTensor('deep.bin') }] }),
    attributes: encodeModel(nested),
    subgraphs: encodeModel({ node: [{ opType: 'If', attribute: [{ name: 'then_branch', g: nested }] }] }),
    functions: encodeModel({}, { functions: [{ name: 'f', ...nested }] }),
    'training graphs': encodeModel({}, { trainingInfo: [{ algorithm: nested }] }),
  }))
    it(`finds external data in ${where}`, () => expect(readOnnx(bytes).externalData).to.deep.equal(['deep.bin']))

  for (const [name, bytes, problem] of [
    ['an empty file', '', 'the file is empty'],
    ['a text', 'version https://git-lfs.github.com/spec/v1', 'the file is not an ONNX model'],
    ['a GGUF file', 'GGUF\x03\0\0\0', 'the file is not an ONNX model'],
    ['a zip file', 'PK\x03\x04', 'the file is not an ONNX model'],
    ['another protobuf message', '\x08\x07', 'the file is not an ONNX model'],
    ['a message that promises more than there is', '\x08\x07\x3a\xff\x01', 'the file is truncated or damaged'],
  ] as const)
    it(`refuses ${name}`, () => expect(() => readOnnx(Buffer.from(bytes, 'latin1'))).to.throw(FormatError, problem))

  it('refuses every cut of a file, and never fails otherwise', () => {
    const bytes = buildOnnx(doubling)
    for (let length = 0; length < bytes.length; length++)
      expect(() => readOnnx(bytes.subarray(0, length)), String(length)).to.throw(FormatError)
  })

  it('answers or refuses whatever the bytes are', () => {
    const bytes = buildOnnx(doubling)
    const position = fc.nat({ max: bytes.length - 1 })
    fc.assert(
      fc.property(fc.array(fc.tuple(position, fc.nat({ max: 255 })), { maxLength: 8 }), (changes) => {
        const changed = Uint8Array.from(bytes)
        for (const [index, value] of changes) changed[index] = value
        try {
          readOnnx(changed)
        } catch (error) {
          expect(error).to.be.instanceOf(FormatError)
        }
      }),
    )
  })

  it('refuses graphs nested without end', () => {
    let graph: object = {}
    for (let depth = 0; depth < 15; depth++) graph = { node: [{ attribute: [{ g: graph }] }] }
    expect(() => readOnnx(encodeModel(graph))).to.throw(FormatError, 'too many parts')
  })

  describe('of many gigabytes', () => {
    const directory = useTemporaryDirectory()

    it('does not read the weights', () => {
      const gigabytes = 3 * 2 ** 30
      const varint = (value: number): number[] =>
        value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))]
      const raw = [0x4a, ...varint(gigabytes)]
      const weight = [0x2a, ...varint(raw.length + gigabytes), ...raw]
      const graph = [0x62, 3, 0x0a, 1, 0x79, ...weight]
      const header = [...encodeModel({}), 0x3a, ...varint(graph.length + gigabytes), ...graph]
      const path = directory.write('large.onnx', Uint8Array.from(header))
      truncateSync(path, header.length + gigabytes)
      const before = process.memoryUsage().rss
      expect(readOnnxFile(path).outputs).to.deep.equal([{ name: 'y', shape: [] }])
      expect(process.memoryUsage().rss - before).to.be.below(64 * 2 ** 20)
    })
  })
})

describe('the place of external data', () => {
  for (const [location, leaves] of [
    ['model.onnx_data', false],
    ['parts/model.onnx_data', false],
    ['parts/../model.onnx_data', false],
    ['..weights', false],
    ['', true],
    ['.', true],
    ['..', true],
    ['../model.onnx_data', true],
    ['parts/../../x', true],
    ['parts\\..\\..\\x', true],
    ['/etc/passwd', true],
    ['\\\\server\\share', true],
    ['C:\\x', true],
    ['x\0y', true],
  ] as const)
    it(`${JSON.stringify(location)} ${leaves ? 'leaves' : 'stays in'} the model’s folder`, () =>
      expect(leavesFolder(location)).to.equal(leaves))
})

describe('half precision', () => {
  it('keeps every value that it has', () => {
    const all = Uint16Array.from({ length: 0x10000 }, (_, index) => index).filter((half) => (half & 0x7c00) !== 0x7c00)
    expect(toFloat16(fromFloat16(all))).to.deep.equal(all)
  })

  for (const [value, half] of [
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [65519, 0x7bff],
    [65520, 0x7c00],
    [-Infinity, 0xfc00],
    [NaN, 0x7e00],
    [2 ** -25, 0],
    [1.5 * 2 ** -25, 1],
    [-0, 0x8000],
  ] as const)
    it(`rounds ${value} to the nearest, ties to even`, () => expect(toFloat16([value])[0]).to.equal(half))
})

describe('the tiny models of these tests', () => {
  const [long, short] = [
    [5, 9, 3, 7],
    [8, 2],
  ]
  const padded = feeds(
    [long, [...short, 0, 0]],
    [
      [1, 1, 1, 1],
      [1, 1, 0, 0],
    ],
  )
  const typed = {
    ...padded,
    token_type_ids: ints([
      [0, 0, 1, 1],
      [0, 1, 0, 0],
    ]),
  }

  it('encode as computed by hand, whatever the padding', async () => {
    const { bytes, expected } = tinyEncoder({ seed: 3 })
    const { last_hidden_state: states } = await run(bytes, padded)
    expect(states!.dims).to.deep.equal([2, 4, 8])
    close((states!.data as Float32Array).subarray(0, 32), expected({ ids: long }).flat())
    close((states!.data as Float32Array).subarray(32, 48), expected({ ids: short }).flat())
  })

  it('compare pairs as computed by hand', async () => {
    const { bytes, expected } = tinyCrossEncoder()
    const { logits } = await run(bytes, typed)
    const texts = [
      { ids: long, typeIds: [0, 0, 1, 1] },
      { ids: short, typeIds: [0, 1] },
    ]
    close(logits!.data as Float32Array, texts.map(expected))
  })

  it('classify texts and tokens as computed by hand', async () => {
    const whole = tinyClassifier(3)
    close((await run(whole.bytes, padded))['logits']!.data as Float32Array, [
      ...whole.expected({ ids: long }),
      ...whole.expected({ ids: short }),
    ])
    const tokens = tinyTokenClassifier(5)
    const { logits } = await run(tokens.bytes, padded)
    close((logits!.data as Float32Array).subarray(0, 20), tokens.expected({ ids: long }).flat())
  })

  it('see images as computed by hand, in two files or in one', async () => {
    const { text, vision, both, side } = tinyPair()
    const values = Float32Array.from({ length: 3 * side ** 2 }, (_, index) => Math.sin(index))
    const pixels = { pixel_values: new Tensor('float32', values, [1, 3, side, side]) }
    close((await run(vision.bytes, pixels))['image_embeds']!.data as Float32Array, vision.expected(values))
    const texts = [...text.expected({ ids: long }), ...text.expected({ ids: short })]
    close((await run(text.bytes, padded))['text_embeds']!.data as Float32Array, texts)
    const together = await run(both, { ...padded, ...pixels })
    close(together['text_embeds']!.data as Float32Array, texts)
    close(together['image_embeds']!.data as Float32Array, vision.expected(values))
  })
})
