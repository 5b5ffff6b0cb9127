import { createKernel } from '@sallyport/kernel'
import { embedding, rerank, textClassification, tokenClassification, tokens } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'
import { HubStandIn } from '@sallyport/stand-ins/hub'
import { expect } from 'chai'
import { failureOf } from '@sallyport/stand-ins/errors'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { spansOf } from '../src/classification/word-spans.js'
import { withWeightsIn } from './support/external-weights.js'
import { contentOf } from './support/loading.js'
import type { FileContents } from './support/loading.js'
import { encoded, plain } from './support/images.js'
import {
  tinyClassifier,
  tinyCrossEncoder,
  tinyEncoder,
  tinyPair,
  tinySiglip,
  tinySpanClassifier,
  tinyTokenClassifier,
} from './support/tiny-models.js'
import { encode, tokenizerOf, wordPiece, wordPieceWithPrompt } from './support/tokenizers.js'

const tiny = { vocabulary: 80, positions: 32 }
const encoder = tinyEncoder(tiny)
const crossEncoder = tinyCrossEncoder(tiny)
const classifier = tinyClassifier(3, tiny)
const tokenClassifier = tinyTokenClassifier(3, tiny)
const pair = tinyPair(tiny)
const siglip = tinySiglip(tiny)
const text = 'The quick fox, unwanted.'

const sentenceTransformers = {
  'modules.json': ['models.Transformer', 'models.Pooling', 'models.Normalize'].map((type) => ({
    type: `sentence_transformers.${type}`,
  })),
  '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false },
  'sentence_bert_config.json': { max_seq_length: 16, do_lower_case: false },
  'config_sentence_transformers.json': { prompts: { query: 'the fox ', document: 'the ' } },
  'config.json': { max_position_embeddings: 32, matryoshka_dimensions: [4, 8] },
  'tokenizer.json': wordPiece,
  'special_tokens_map.json': { pad_token: '[PAD]' },
  'onnx/model.onnx': encoder.bytes,
  'onnx/model_quantized.onnx': Buffer.from('not this one'),
  'README.md': 'what nobody fetches',
  'pytorch_model.bin': Buffer.alloc(100),
}
const labels = { 0: 'low', 1: 'middle', 2: 'high' }
const largePair = {
  'onnx/model.onnx': Buffer.from('not this one'),
  'onnx/model.onnx_data': Buffer.from('nor its weights'),
  'onnx/text_model.onnx': withWeightsIn('text_model.onnx_data'),
  'onnx/text_model.onnx_data': Buffer.alloc(4),
  'onnx/vision_model.onnx': withWeightsIn('vision_model.onnx_data'),
  'onnx/vision_model.onnx_data': Buffer.alloc(4, 1),
}

/** As publishers lay them out; what `source: hf:owner/repository` finds. */
const repositories: Readonly<Record<string, FileContents>> = {
  'sentences/tiny': sentenceTransformers,
  'pairs/tiny': {
    'config.json': { architectures: ['BertForSequenceClassification'], id2label: { 0: 'LABEL_0' } },
    'tokenizer.json': wordPiece,
    'onnx/model.onnx': crossEncoder.bytes,
  },
  'labels/tiny': {
    'config.json': { architectures: ['BertForSequenceClassification'], id2label: labels, max_position_embeddings: 32 },
    'tokenizer.json': wordPiece,
    'model.onnx': classifier.bytes,
  },
  'spans/tiny': {
    'config.json': {
      architectures: ['BertForTokenClassification'],
      id2label: { 0: 'O', 1: 'B-NAME', 2: 'I-NAME' },
      max_position_embeddings: 32,
    },
    'tokenizer.json': wordPiece,
    'onnx/model.onnx': tokenClassifier.bytes,
  },
  'gliner/tiny': {
    'gliner_config.json': { max_width: 2, max_len: 384, span_mode: 'markerV0' },
    'tokenizer.json': wordPieceWithPrompt,
    'tokenizer_config.json': { model_max_length: 1e30 },
    'onnx/model.onnx': tinySpanClassifier(2, 71, { ...tiny, positions: 600 }).bytes,
  },
  'towers/tiny': {
    'config.json': { model_type: 'clip', text_config: { max_position_embeddings: 32 } },
    'preprocessor_config.json': { size: { height: 8, width: 8 }, do_center_crop: false, do_normalize: false },
    'tokenizer.json': wordPiece,
    'onnx/model.onnx': pair.both,
    'onnx/text_model.onnx': pair.text.bytes,
    'onnx/vision_model.onnx': pair.vision.bytes,
  },
  'towers/siglip': {
    'config.json': { model_type: 'siglip', text_config: {}, vision_config: {} },
    'preprocessor_config.json': {
      image_processor_type: 'SiglipImageProcessor',
      size: { height: 8, width: 8 },
      do_normalize: false,
    },
    'tokenizer.json': { ...wordPiece, padding: null },
    'tokenizer_config.json': { model_max_length: 16, pad_token: '[SEP]' },
    'onnx/text_model.onnx': siglip.text.bytes,
    'onnx/vision_model.onnx': siglip.vision.bytes,
  },
  'large/pair': largePair,
  'tensors/tiny': { 'onnx/model.onnx': pair.vision.bytes },
  'broken/not-onnx': { 'tokenizer.json': wordPiece, 'onnx/model.onnx': Buffer.from('{"this": "is JSON"}') },
  'broken/no-tokenizer': { 'config.json': {}, 'onnx/model.onnx': encoder.bytes },
  'broken/no-graph': { 'config.json': {}, 'pytorch_model.bin': Buffer.alloc(10) },
}

describe('a repository of the hub, named and nothing else', function () {
  this.timeout(60_000)
  const hub = new HubStandIn()
  const environment = { ...process.env }
  const { path: home } = useTemporaryDirectory()
  let kernel: Kernel

  const start = (ids: readonly string[]) =>
    createKernel(
      {
        plugins: [new URL('../src/index.js', import.meta.url)],
        models: Object.fromEntries(ids.map((id) => [id, { backend: 'onnx', source: `hf:${id}` }])),
      },
      { baseDirectory: home },
    )
  const refusal = (id: string): Promise<string> => failureOf(start([id]))

  before(async () => {
    await hub.start()
    Object.assign(process.env, { HF_ENDPOINT: hub.origin, SALLYPORT_HOME: home })
    delete process.env['SALLYPORT_OFFLINE']
    for (const [repository, files] of Object.entries(repositories))
      for (const [name, content] of Object.entries(files))
        hub.files.set(`${repository}/${name}`, Buffer.from(contentOf(content)))
    kernel = await start(Object.keys(repositories).filter((id) => !id.startsWith('broken/')))
  })
  after(async () => {
    await (kernel as Kernel | undefined)?.stop()
    await hub.stop()
    for (const name of ['HF_ENDPOINT', 'SALLYPORT_HOME', 'SALLYPORT_OFFLINE'])
      if (environment[name] === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = environment[name]
  })

  const tokenizer = tokenizerOf(wordPiece)
  const idsOf = async (written: string) => (await encode(tokenizer, written)).ids
  const expectNear = (actual: ArrayLike<number> | undefined, expected: ArrayLike<number>) => {
    expect(Array.from(actual ?? [])).to.have.length(expected.length)
    for (const [index, value] of Array.from(expected).entries()) expect(actual?.[index]).to.be.closeTo(value, 1e-5)
  }

  const fetchedOf = (owner: string) =>
    hub.downloads
      .map(({ url }) => url)
      .filter((url) => url.startsWith(`/${owner}/`))
      .map((url) => url.split('/').slice(5).join('/'))
      .sort()

  it('fetches what a model is made of, and nothing else', () => {
    expect(fetchedOf('sentences')).to.deep.equal(
      Object.keys(sentenceTransformers)
        .filter((name) => !/quantized|README|pytorch|special_tokens/.test(name))
        .sort(),
    )
  })

  it('fetches the weights that belong to the graphs', () => {
    expect(fetchedOf('large')).to.deep.equal(
      Object.keys(largePair)
        .filter((name) => !name.startsWith('onnx/model'))
        .sort(),
    )
  })

  it('of sentence-transformers pools, normalises, prefixes, cuts and limits as its files say', async () => {
    const service = kernel.get(embedding, 'sentences/tiny')
    const firstState = async (written: string) =>
      normalised(Float32Array.from(encoder.expected({ ids: await idsOf(written) })[0]!))
    const embed = async (more: object) => (await service.embed({ inputs: [{ text }], ...more })).vectors[0]
    expectNear(await embed({}), await firstState(text))
    expectNear(await embed({ inputType: 'query' }), await firstState(`the fox ${text}`))
    expectNear(await embed({ inputType: 'document' }), await firstState(`the ${text}`))
    expectNear(await embed({ dimensions: 4 }), normalised((await firstState(text)).slice(0, 4)))
    expect(kernel.models(embedding)[0]?.contextLength).to.equal(16)
    const error: unknown = await embed({ inputs: [{ text: 'fox '.repeat(20) }] }).catch((reason: unknown) => reason)
    expect(error).to.have.property('message').that.contains('16')
  })

  it('of a cross-encoder ranks by what the model says of both texts', async () => {
    const documents = ['the fox', 'unwanted, the quick', 'cafe']
    const { ranking } = await kernel.get(rerank, 'pairs/tiny').rerank({ query: text, documents })
    const encodings = await Promise.all(documents.map((pair) => encode(tokenizer, text, { pair })))
    const expected = encodings.map((encoding) => 1 / (1 + Math.exp(-crossEncoder.expected(encoding))))
    expectNear(
      documents.map((_, index) => ranking.find((entry) => entry.index === index)!.score),
      expected,
    )
  })

  it('of a classifier has its labels', async () => {
    const { labels: found } = await kernel.get(textClassification, 'labels/tiny').classify({ inputs: [{ text }] })
    const logits = classifier.expected({ ids: await idsOf(text) })
    const sum = logits.reduce((total, value) => total + Math.exp(value), 0)
    const byName = Object.fromEntries(found[0]!.map(({ label, score }) => [label, score]))
    expectNear(
      Object.values(labels).map((name) => byName[name]!),
      logits.map((value) => Math.exp(value) / sum),
    )
  })

  it('of a token classifier names spans by its labels', async () => {
    const { spans } = await kernel.get(tokenClassification, 'spans/tiny').classify({ texts: [text] })
    const rows = tokenClassifier.expected({ ids: await idsOf(text) }).slice(1, -1)
    // the first tokens of: The quick fox , unwanted .
    const words = [0, 1, 2, 3, 4, 7].map((token, index) => {
      const row = rows[token]!
      const best = Math.max(...row)
      const score = 1 / row.reduce((sum, value) => sum + Math.exp(value - best), 0)
      const [start, end] = [
        [0, 3],
        [4, 9],
        [10, 13],
        [13, 14],
        [15, 23],
        [23, 24],
      ][index]! as [number, number]
      return { label: ['O', 'B-NAME', 'I-NAME'][row.indexOf(best)]!, score, start, end }
    })
    const expected = spansOf(words, text)
    expect(expected).not.to.have.length(0)
    expect(spans[0]).to.have.length(expected.length)
    for (const [index, { score, ...span }] of expected.entries()) {
      expect(spans[0]![index]).to.include({ ...span, label: 'NAME' })
      expect(spans[0]![index]!.score).to.be.closeTo(score, 1e-5)
    }
  })

  it('of GLiNER names spans by the labels that it is asked for', async () => {
    expect(fetchedOf('gliner')).to.deep.equal(Object.keys(repositories['gliner/tiny']!).sort())
    const { spans } = await kernel.get(tokenClassification, 'gliner/tiny').classify({ texts: [text] })
    expect(spans[0]).not.to.have.length(0)
    expect(['person', 'location', 'organization']).to.include.members(spans[0]!.map(({ label }) => label))
  })

  const towers: readonly [id: string, limit: number, model: typeof siglip, padded: number][] = [
    ['towers/tiny', 32, pair, 0],
    ['towers/siglip', 16, siglip, 16],
  ]
  for (const [id, limit, { text: texts, vision, side }, padded] of towers)
    it(`of two towers gives vectors of texts and images: ${id}`, async () => {
      const descriptor = kernel.models(embedding).find((model) => model.id === id)
      expect(descriptor?.features).to.include({ image: true })
      expect(descriptor?.contextLength).to.equal(limit)
      const colour = [250, 120, 30]
      const image = { image: await encoded(plain(20, 12, colour)), mediaType: 'image/png' }
      const { vectors } = await kernel.get(embedding, id).embed({ inputs: [{ text }, image] })
      const pixels = colour.flatMap((byte) => Array.from({ length: side * side }, () => byte / 255))
      expect(vectors).to.have.length(2)
      const own = await idsOf(text)
      const ids = [...own, ...new Array<number>(Math.max(0, padded - own.length)).fill(3)]
      expectNear(vectors[0], normalised(texts.expected({ ids })))
      expectNear(vectors[1], normalised(vision.expected(Float32Array.from(pixels))))
    })

  it('of an unknown kind offers its tensors and nothing that reads texts', () => {
    expect(kernel.models().find(({ id }) => id === 'tensors/tiny')?.capabilities).to.deep.equal(['inference'])
    expect(() => kernel.get(embedding, 'tensors/tiny')).to.throw(/tensors\/tiny/)
  })

  it('gives tokens wherever it reads texts', () => {
    const ids = kernel.models(tokens).map(({ id }) => id)
    expect(ids).to.have.members([
      'sentences/tiny',
      'pairs/tiny',
      'labels/tiny',
      'spans/tiny',
      'gliner/tiny',
      'towers/tiny',
      'towers/siglip',
    ])
  })

  it('starts again without the hub', async () => {
    process.env['SALLYPORT_OFFLINE'] = '1'
    const requests = hub.requests.length
    const again = await start(['sentences/tiny'])
    await again.stop()
    delete process.env['SALLYPORT_OFFLINE']
    expect(hub.requests).to.have.length(requests)
  })

  describe('is refused, with what to do, where', () => {
    it('its graph is not ONNX', async () => {
      expect(await refusal('broken/not-onnx')).to.match(/^model_invalid: .*not an ONNX model/)
    })
    it('it has no tokenizer', async () => {
      expect(await refusal('broken/no-tokenizer')).to.match(/^model_invalid: .*put its tokenizer\.json beside the file/)
    })
    it('it has no graph', async () => {
      expect(await refusal('broken/no-graph')).to.match(/^model_files: .*model \(.*model\.onnx/)
    })
  })
})
