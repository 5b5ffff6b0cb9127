import { embedding, isSallyportError, rerank } from '@sallyport/core'
import type { EmbeddingRequest } from '@sallyport/core'
import { runConformance, testCall } from '@sallyport/testing'
import { expect } from 'chai'
import { buildOnnx, int64 } from '@sallyport/weights'
import type { OnnxNode } from '@sallyport/weights'
import type { OnnxOptions } from '../src/options.js'
import { load, temporaryFiles } from './support/loading.js'
import type { FileContents } from './support/loading.js'
import { tinyEncoder } from './support/tiny-models.js'
import { encode, tokenizerOf, wordPiece } from './support/tokenizers.js'

const encoder = tinyEncoder({ vocabulary: 80, hidden: 8, positions: 64 })
const text = 'The quick fox, unwanted.'
const { ids } = await encode(tokenizerOf(wordPiece), text)
const states = encoder.expected({ ids })

const unit = (vector: readonly number[]) => {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
const mean = (rows: readonly (readonly number[])[]) =>
  (rows[0] ?? []).map((_, column) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0) / rows.length)

const expectNear = (actual: ArrayLike<number> | undefined, expected: readonly number[], tolerance = 1e-5) => {
  expect(actual).to.have.length(expected.length)
  for (const [index, value] of expected.entries()) expect(actual?.[index]).to.be.closeTo(value, tolerance)
}

const pooling = (mode: string) => ({ '1_Pooling/config.json': { [`pooling_mode_${mode}`]: true } })
const modules = (...types: string[]) => ({
  'modules.json': types.map((type) => ({ type: `sentence_transformers.models.${type}` })),
})

describe('vectors of a model', () => {
  const write = temporaryFiles()

  const embed = async (files: FileContents, options: Partial<OnnxOptions>, request: Partial<EmbeddingRequest> = {}) => {
    const all = { model: encoder.bytes, 'tokenizer.json': wordPiece, ...files }
    const loaded = await load(write(all), { contextLength: 32, ...options })
    try {
      return await loaded.service(embedding).embed({ inputs: [{ text }], ...request }, testCall())
    } finally {
      await loaded.stop()
    }
  }

  const first = async (...args: Parameters<typeof embed>) => (await embed(...args)).vectors[0]

  const poolings: readonly [string, FileContents, Partial<OnnxOptions>, readonly number[]][] = [
    ['the mean by default', {}, {}, unit(mean(states))],
    ['the mean, as its files say', pooling('mean_tokens'), {}, unit(mean(states))],
    ['the first token, as its files say', pooling('cls_token'), {}, unit(states[0] ?? [])],
    ['the last token, as its files say', pooling('lasttoken'), {}, unit(states.at(-1) ?? [])],
    ['the option before the files', pooling('lasttoken'), { pooling: 'cls' }, unit(states[0] ?? [])],
    ['not normalised where its files do not', modules('Transformer', 'Pooling'), {}, mean(states)],
    ['normalised where its files do', modules('Transformer', 'Pooling', 'Normalize'), {}, unit(mean(states))],
    ['normalised as the option says', {}, { normalize: false }, mean(states)],
  ]
  for (const [name, files, options, expected] of poolings)
    it(`are ${name}`, async () => {
      expectNear(await first(files, options), expected)
    })

  it('are the same in one batch with texts of other lengths', async () => {
    const inputs = [text, 'the', `${text} ${text}`].map((each) => ({ text: each }))
    for (const mode of ['cls', 'last', 'mean'] as const) {
      const { vectors } = await embed({}, { pooling: mode }, { inputs })
      expectNear(vectors[0], [...((await first({}, { pooling: mode })) ?? [])])
    }
  })

  it('are of the text behind the prefix that its files or options name', async () => {
    const prompts = { 'config_sentence_transformers.json': { prompts: { query: 'the ', passage: 'fox ' } } }
    const plain = async (each: string) => [...((await first({}, {}, { inputs: [{ text: each }] })) ?? [])]
    expectNear(await first(prompts, {}, { inputType: 'query' }), await plain(`the ${text}`))
    expectNear(await first(prompts, {}, { inputType: 'document' }), await plain(`fox ${text}`))
    expectNear(await first(prompts, {}), await plain(text))
    const prefixes = { query: 'quick ' }
    expectNear(await first(prompts, { prefixes }, { inputType: 'query' }), await plain(`quick ${text}`))
  })

  it('are cut to the lengths that the model allows, and refused at others', async () => {
    const config = { 'config.json': { matryoshka_dimensions: [4, 2] } }
    expectNear(await first(config, {}, { dimensions: 4 }), unit(mean(states).slice(0, 4)))
    expectNear(await first({}, { dimensions: [2] }, { dimensions: 2 }), unit(mean(states).slice(0, 2)))
    const error: unknown = await first(config, {}, { dimensions: 3 }).catch((reason: unknown) => reason)
    expect(isSallyportError(error) && error.message).to.equal(
      'dimensions: vectors of this model have 4 or 2 or 8 dimensions',
    )
  })

  it('count tokens, special ones included, of texts and of ids', async () => {
    expect(await embed({}, {})).to.have.property('promptTokens', ids.length)
    const inputs = [{ tokens: [4, 5, 6] }]
    expect(await embed({}, {}, { inputs })).to.have.property('promptTokens', 5)
  })

  it('are those of the unknown token where ids are outside the vocabulary', async () => {
    const ofIds = (last: number) => first({}, {}, { inputs: [{ tokens: [4, 5, last] }] })
    const unknown = [...((await ofIds(wordPiece.model.vocab['[UNK]'] ?? NaN)) ?? [])]
    for (const id of [80, 999_999, 2 ** 31 - 1]) expectNear(await ofIds(id), unknown)
  })

  it('are refused of what is no token id, whose place is named', async () => {
    for (const id of [-1, 0.5]) {
      const inputs = [{ text }, { tokens: [4, 5, id] }]
      const error: unknown = await embed({}, {}, { inputs }).catch((reason: unknown) => reason)
      expect(error).to.include({ code: 'invalid_request' })
      expect(isSallyportError(error) && error.message).to.equal(
        'inputs[1].tokens[2]: must be a token id: an integer from 0 upwards',
      )
    }
  })

  it('are those of the file where it pools by itself', async () => {
    const bytes = buildOnnx({
      inputs: [{ name: 'input_ids', type: 'INT64', shape: ['batch', 'sequence'] }],
      outputs: [
        { name: 'token_embeddings', type: 'FP32', shape: ['batch', 'sequence', 1] },
        { name: 'sentence_embedding', type: 'FP32', shape: ['batch', 'width'] },
      ],
      initializers: { axis: int64([2]), fixed: { shape: [1, 2], data: Float32Array.of(3, 4) }, one: int64([1]) },
      nodes: [
        { op: 'Cast', inputs: ['input_ids'], outputs: ['floats'], attributes: { to: { int: 1 } } },
        { op: 'Unsqueeze', inputs: ['floats', 'axis'], outputs: ['token_embeddings'] },
        { op: 'ReduceMax', inputs: ['floats'], outputs: ['most'], attributes: { axes: { ints: [1] } } },
        { op: 'Mul', inputs: ['most', 'fixed'], outputs: ['sentence_embedding'] },
      ],
    })
    expectNear(await first({ model: bytes }, {}, { dimensions: 2 }), [0.6, 0.8])
  })
})

/** Takes one scale for the whole batch, as dynamic quantisation does: a text's vector changes with its neighbours. */
const quantised = () =>
  buildOnnx({
    inputs: [
      { name: 'input_ids', type: 'INT64', shape: ['batch', 'sequence'] },
      { name: 'attention_mask', type: 'INT64', shape: ['batch', 'sequence'] },
    ],
    outputs: [{ name: 'last_hidden_state', type: 'FP32', shape: ['batch', 'sequence', 2] }],
    initializers: { axis: int64([2]), pair: { shape: [2], data: Float32Array.of(1, 0) } },
    nodes: [
      { op: 'Cast', inputs: ['input_ids'], outputs: ['floats'], attributes: { to: { int: 1 } } },
      { op: 'Shape', inputs: ['attention_mask'], outputs: ['shape'] },
      { op: 'Cast', inputs: ['shape'], outputs: ['sizes'], attributes: { to: { int: 1 } } },
      { op: 'ReduceSum', inputs: ['sizes'], outputs: ['size'], attributes: { keepdims: { int: 0 } } },
      { op: 'Unsqueeze', inputs: ['floats', 'axis'], outputs: ['column'] },
      { op: 'Mul', inputs: ['column', 'pair'], outputs: ['apart'] },
      { op: 'Add', inputs: ['apart', 'size'], outputs: ['last_hidden_state'] },
    ],
  })

/** The vector of a text is made of its greatest id (`most` of [texts]); `nodes` make `sentence_embedding` of it. */
const ofGreatestId = (nodes: readonly OnnxNode[], constants: Readonly<Record<string, readonly number[]>>) =>
  buildOnnx({
    inputs: [{ name: 'input_ids', type: 'INT64', shape: ['batch', 'sequence'] }],
    outputs: [{ name: 'sentence_embedding', type: 'FP32', shape: ['batch', 2] }],
    initializers: {
      first: int64([0]),
      ...Object.fromEntries(
        Object.entries(constants).map(([name, values]) => [
          name,
          { shape: [values.length], data: Float32Array.from(values) },
        ]),
      ),
    },
    nodes: [
      { op: 'Cast', inputs: ['input_ids'], outputs: ['floats'], attributes: { to: { int: 1 } } },
      { op: 'ReduceMax', inputs: ['floats'], outputs: ['most'], attributes: { axes: { ints: [1] } } },
      ...nodes,
    ],
  })

/** Moves the vectors of a batch by a part of what its first text has; the first one stays where it is. */
const movedByTheFirst = ofGreatestId(
  [
    { op: 'Gather', inputs: ['most', 'first'], outputs: ['leader'] },
    { op: 'Sub', inputs: ['most', 'leader'], outputs: ['apart'] },
    { op: 'Mul', inputs: ['apart', 'direction'], outputs: ['moved'] },
    { op: 'Add', inputs: ['moved', 'fixed'], outputs: ['sentence_embedding'] },
  ],
  { direction: [0.01, 0], fixed: [3, 4] },
)

/** Vectors of the length 0.1 that a batch of several moves by 0.002: their cosine is 0.9998. */
const shortAndMoved = ofGreatestId(
  [
    { op: 'Sub', inputs: ['most', 'most'], outputs: ['zero'] },
    { op: 'Shape', inputs: ['most'], outputs: ['shape'], attributes: { end: { int: 1 } } },
    { op: 'Cast', inputs: ['shape'], outputs: ['texts'], attributes: { to: { int: 1 } } },
    { op: 'Greater', inputs: ['texts', 'single'], outputs: ['among'] },
    { op: 'Cast', inputs: ['among'], outputs: ['factor'], attributes: { to: { int: 1 } } },
    { op: 'Mul', inputs: ['factor', 'direction'], outputs: ['moved'] },
    { op: 'Add', inputs: ['zero', 'fixed'], outputs: ['rows'] },
    { op: 'Add', inputs: ['rows', 'moved'], outputs: ['sentence_embedding'] },
  ],
  { direction: [0, 0.002], fixed: [0.1, 0], single: [1] },
)

/** Its vectors are fractions of a text's own ids, and not-a-number where the greatest is above 30. */
const overflowing = ofGreatestId(
  [
    { op: 'Sub', inputs: ['limit', 'most'], outputs: ['left'] },
    { op: 'Sqrt', inputs: ['left'], outputs: ['root'] },
    { op: 'Add', inputs: ['root', 'fixed'], outputs: ['sentence_embedding'] },
  ],
  { limit: [30], fixed: [0, 1] },
)

describe('a model whose results depend on the texts beside them', () => {
  const write = temporaryFiles()
  const cases: readonly [string, Uint8Array][] = [
    ['takes one scale for the whole batch', quantised()],
    ['changes some texts only', movedByTheFirst],
    ['has short vectors and changes them a little', shortAndMoved],
  ]

  for (const [what, model] of cases)
    it(`evaluates texts one at a time, and says so, where it ${what}`, async () => {
      const files = write({ model, 'tokenizer.json': wordPiece })
      const loaded = await load(files, { contextLength: 32, normalize: false })
      const service = loaded.service(embedding)
      expect(loaded.descriptor?.description).to.match(/one at a time/)
      const { vectors } = await service.embed({ inputs: [{ text }, { text: 'the' }, { text: 'the fox' }] }, testCall())
      const { vectors: alone } = await service.embed({ inputs: [{ text: 'the' }] }, testCall())
      expect(vectors[1]).to.deep.equal(alone[0])
      await loaded.stop()
    })
})

describe('a model that answers with what is no number', () => {
  const write = temporaryFiles()

  it('fails that text, and no other that is evaluated at the same time', async () => {
    const files = write({ model: overflowing, 'tokenizer.json': wordPiece })
    const loaded = await load(files, { contextLength: 32 })
    const service = loaded.service(embedding)
    const outcomes = await Promise.all(
      ['the fox', 'z', 'a'].map((each) =>
        service.embed({ inputs: [{ text: each }] }, testCall()).then(
          ({ vectors }) => vectors[0]?.every(Number.isFinite),
          (error: unknown) => error instanceof Error && error.message,
        ),
      ),
    )
    await loaded.stop()
    const notFinite =
      'model tiny: its output "sentence_embedding" gives numbers that are not finite: export it again, with weights in single precision (FP32)'
    expect(outcomes).to.deep.equal([true, notFinite, true])
  })
})

describe('a tiny encoder', () => {
  const write = temporaryFiles()
  const large = tinyEncoder({ vocabulary: 80, hidden: 8, positions: 512 })
  const serving = async () => load(write({ model: large.bytes, 'tokenizer.json': wordPiece }))

  runConformance(embedding, {
    create: async () => {
      const { service, stop } = await serving()
      return { service: service(embedding), dispose: stop }
    },
    facts: { contextLength: 512, dimensions: 8 },
    skip: { 'similar texts are nearer to each other than different ones': 'its weights are random' },
  })
  runConformance(rerank, {
    create: async () => {
      const { service, stop } = await serving()
      return { service: service(rerank), dispose: stop }
    },
  })
})
