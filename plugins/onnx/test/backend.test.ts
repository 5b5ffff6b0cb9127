import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { isSallyportError } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import { buildOnnx } from '@sallyport/weights'
import { OnnxBackend } from '../src/backend.js'
import { check } from '../src/check.js'
import { estimate } from '../src/estimate.js'
import { withWeightsIn } from './support/external-weights.js'
import { backendOf, defaults, load, temporaryFiles } from './support/loading.js'
import type { FileContents } from './support/loading.js'
import {
  tinyClassifier,
  tinyCrossEncoder,
  tinyEncoder,
  tinyPair,
  tinySiglip,
  tinyTokenClassifier,
} from './support/tiny-models.js'
import { wordPiece } from './support/tokenizers.js'

const tiny = { vocabulary: 80, hidden: 8, positions: 64 }
const encoder = tinyEncoder(tiny).bytes
const tokenizer = { 'tokenizer.json': wordPiece }

const withInput = (name: string, type: 'INT64' | 'FP32' = 'FP32') =>
  buildOnnx({
    inputs: [
      { name: 'input_ids', type: 'INT64', shape: ['batch', 'sequence'] },
      { name, type, shape: ['batch', 4] },
    ],
    outputs: [{ name: 'out', type, shape: ['batch', 4] }],
    nodes: [{ op: 'Identity', inputs: [name], outputs: ['out'] }],
  })

const fractionalTokens = buildOnnx({
  inputs: [
    { name: 'attention_mask', type: 'INT64', shape: ['batch', 'sequence'] },
    { name: 'input_ids', type: 'FP32', shape: ['batch', 'sequence'] },
  ],
  outputs: [{ name: 'out', type: 'FP32', shape: ['batch', 'sequence'] }],
  nodes: [{ op: 'Identity', inputs: ['input_ids'], outputs: ['out'] }],
})

const unknownOperator = buildOnnx({
  inputs: [{ name: 'in', type: 'FP32', shape: [1] }],
  outputs: [{ name: 'out', type: 'FP32', shape: [1] }],
  nodes: [{ op: 'Teleport', inputs: ['in'], outputs: ['out'] }],
})

describe('what a model is', () => {
  const write = temporaryFiles()

  const kinds: readonly [string, FileContents, readonly string[]][] = [
    ['an encoder', { model: encoder, ...tokenizer }, ['embedding', 'rerank', 'tokens']],
    ['a cross-encoder', { model: tinyCrossEncoder(tiny).bytes, ...tokenizer }, ['rerank', 'tokens']],
    ['a text classifier', { model: tinyClassifier(3, tiny).bytes, ...tokenizer }, ['text-classification', 'tokens']],
    [
      'a token classifier',
      {
        model: tinyTokenClassifier(3, tiny).bytes,
        ...tokenizer,
        'config.json': { architectures: ['BertForTokenClassification'] },
      },
      ['token-classification', 'tokens'],
    ],
    ['logits of a vocabulary', { model: tinyTokenClassifier(80, tiny).bytes, ...tokenizer }, []],
    ['a model with inputs that are not made from texts', { model: withInput('past'), ...tokenizer }, []],
    ['the encoder of a translator', { model: encoder, ...tokenizer, 'config.json': { is_encoder_decoder: true } }, []],
    [
      'a pair of towers',
      { model: tinyPair(tiny).text.bytes, vision_model: tinyPair(tiny).vision.bytes, ...tokenizer, ...pixels() },
      ['embedding', 'rerank', 'tokens'],
    ],
    [
      'two towers in one file',
      { model: tinyPair(tiny).both, ...tokenizer, ...pixels() },
      ['embedding', 'rerank', 'tokens'],
    ],
  ]
  for (const [name, files, capabilities] of kinds)
    it(`${name}: ${capabilities.join(', ') || 'tensors only'}`, async () => {
      const loaded = await load(write(files), { contextLength: 32 })
      expect(loaded.provides.map(({ capability }) => capability.name)).to.deep.equal([...capabilities, 'inference'])
      expect(loaded.descriptor?.features?.image ?? false).to.equal(/tower/.test(name))
      await loaded.stop()
    })

  const unread: readonly [string, FileContents, string][] = [
    [
      'wants more than texts',
      { model: withInput('past') },
      'it needs an input that is not made from a text: "past" (FP32, [-1, 4])',
    ],
    [
      'takes tokens as fractions',
      { model: fractionalTokens },
      'it needs an input that is not made from a text: "input_ids" (FP32, [-1, -1])',
    ],
    [
      'is the encoder of a translator',
      { model: encoder, 'config.json': { is_encoder_decoder: true } },
      'it is an encoder-decoder',
    ],
    [
      'has logits of a vocabulary',
      { model: tinyTokenClassifier(80, tiny).bytes },
      'config.json names no architecture ...ForTokenClassification, so its logits may be of a vocabulary',
    ],
    [
      'has no vectors',
      { model: withInput('position_ids', 'INT64') },
      'it has no floating-point output per text or per token',
    ],
  ]
  for (const [name, files, reason] of unread)
    it(`says why it does not read texts: it ${name}`, async () => {
      const { logger, lines } = recordingLogger()
      const backend = new OnnxBackend(
        { id: 'tiny', files: write({ ...files, ...tokenizer }), options: defaults },
        logger,
      )
      const { descriptor } = await backend.load()
      await backend.stop()
      expect(descriptor?.description).to.equal(`Plain tensors only: ${reason}.`)
      expect(lines.filter(({ level }) => level === 'warn')).to.deep.equal([
        { level: 'warn', fields: { reason }, message: 'the model offers plain tensors only: it does not take texts' },
      ])
    })

  it('is not expected to read texts where it takes no tokens', async () => {
    const { logger, lines } = recordingLogger()
    const files = write({ model: tinyPair(tiny).vision.bytes })
    const backend = new OnnxBackend({ id: 'tiny', files, options: defaults }, logger)
    const { descriptor } = await backend.load()
    await backend.stop()
    expect(descriptor?.description).to.equal('Plain tensors only: it has no input "input_ids".')
    expect(lines.map(({ level }) => level)).to.deep.equal(['debug'])
  })

  it('has weights in a file beside it', async () => {
    const paths = write({ model: withWeightsIn('weights.bin'), 'weights.bin': new Uint8Array(4) })
    const loaded = await load(paths)
    expect(loaded.provides).to.have.length(1)
    await loaded.stop()
    const { weights } = await estimate({ id: 'tiny', options: defaults, files: paths })
    expect(weights).to.be.greaterThan(2 * 4)
  })

  const limits: readonly [string, FileContents, number][] = [
    ['what it evaluates where no file tells', {}, 64],
    ['the sequence length of the sentence model', { 'sentence_bert_config.json': { max_seq_length: 24 } }, 24],
    ['the positions of the model', { 'config.json': { max_position_embeddings: 40 } }, 40],
    [
      'those without RoBERTa’s first two',
      { 'config.json': { max_position_embeddings: 40, model_type: 'roberta' } },
      38,
    ],
    [
      'the positions of its text tower',
      { 'config.json': { text_config: { max_position_embeddings: 40 }, vision_config: {} } },
      40,
    ],
    ['the length of its tokenizer', { 'tokenizer_config.json': { model_max_length: 48 } }, 48],
    ['no length that is none', { 'tokenizer_config.json': { model_max_length: 1e30 } }, 64],
  ]
  for (const [name, files, limit] of limits)
    it(`its context is ${name}`, async () => {
      const loaded = await load(write({ model: encoder, ...tokenizer, ...files }))
      expect(loaded.descriptor?.contextLength).to.equal(limit)
      await loaded.stop()
    })
})

function pixels() {
  return { 'preprocessor_config.json': { size: { height: 8, width: 8 }, do_center_crop: false, do_normalize: false } }
}

describe('files that cannot be a model', () => {
  const write = temporaryFiles()

  const bad: readonly [string, FileContents, RegExp][] = [
    ['random bytes', { model: randomBytes(4096), ...tokenizer }, /ONNX|truncated|damaged/],
    ['an empty file', { model: '', ...tokenizer }, /empty/],
    ['a text', { model: 'Not Found', ...tokenizer }, /not an ONNX model/],
    [
      'a file that was cut off',
      { model: encoder.subarray(0, encoder.length - 100), ...tokenizer },
      /truncated|damaged/,
    ],
    ['an unknown operator', { model: unknownOperator }, /operators/],
    ['weights outside its folder', { model: withWeightsIn('../../etc/passwd') }, /outside its folder/],
    ['weights at an absolute path', { model: withWeightsIn('/etc/passwd') }, /outside its folder/],
    ['weights that are missing', { model: withWeightsIn('model.onnx_data') }, /put "model.onnx_data" beside it/],
    ['no tokenizer', { model: encoder }, /tokenizer\.json/],
    ['a tokenizer that is not JSON', { model: encoder, 'tokenizer.json': '{' }, /tokenizer\.json is not valid JSON/],
    ['a tokenizer that is a list', { model: encoder, 'tokenizer.json': [] }, /tokenizer\.json is not a JSON object/],
    ['a tokenizer of another kind', { model: encoder, 'tokenizer.json': { model: { type: 'Odd' } } }, /tokenizer/],
    [
      'an unknown way of pooling',
      { model: encoder, ...tokenizer, '1_Pooling/config.json': { pooling_mode_weightedmean_tokens: true } },
      /pooling/,
    ],
    [
      'a layer that the file lacks',
      { model: encoder, ...tokenizer, 'modules.json': [{ type: 'sentence_transformers.models.Dense' }] },
      /Dense/,
    ],
    [
      'a pair without vectors of texts',
      { model: encoder, vision_model: tinyPair(tiny).vision.bytes, ...tokenizer, ...pixels() },
      /no output text_embeds or pooler_output/,
    ],
    [
      'a pair of which one half is projected',
      {
        model: tinySiglip(tiny).text.bytes,
        vision_model: tinyPair({ ...tiny, size: 8 }).vision.bytes,
        ...tokenizer,
        ...pixels(),
      },
      /text vectors \(pooler_output\) and image vectors \(image_embeds\) are not in the same vector space/,
    ],
    [
      'a pair with vectors of two lengths',
      {
        model: tinyPair({ ...tiny, size: 7 }).text.bytes,
        vision_model: tinyPair(tiny).vision.bytes,
        ...tokenizer,
        ...pixels(),
      },
      /text vectors have 7 dimensions and its image vectors 6/,
    ],
    [
      'texts of special tokens only',
      { model: encoder, ...tokenizer, 'sentence_bert_config.json': { max_seq_length: 2 } },
      /context length of 2 tokens leaves no room beside its 2 special tokens/,
    ],
    [
      'texts without any token',
      { model: encoder, ...tokenizer, 'config.json': { max_position_embeddings: 2, model_type: 'roberta' } },
      /context length of 0 tokens leaves no room beside its 2 special tokens/,
    ],
    [
      'pairs of special tokens only',
      { model: tinyCrossEncoder(tiny).bytes, ...tokenizer, 'sentence_bert_config.json': { max_seq_length: 3 } },
      /context length of 3 tokens leaves no room beside its 3 special tokens/,
    ],
  ]
  const foundByLoading = [
    'an unknown operator',
    'a pair of which one half is projected',
    'a pair with vectors of two lengths',
  ]
  for (const [name, files, message] of bad)
    it(`${name}: model_invalid, in a sentence without paths`, async () => {
      const paths = write(files)
      const backend = backendOf(paths)
      const error: unknown = await backend.load().catch((reason: unknown) => reason)
      if (!isSallyportError(error)) throw error
      expect(error.code).to.equal('model_invalid')
      expect(error.message).to.match(message)
      expect(error.message).not.to.contain('/tmp')
      await backend.stop()
      const checking = () => check({ id: 'tiny', options: defaults, files: paths })
      if (foundByLoading.includes(name)) checking()
      else expect(checking).to.throw(error.message)
    })

  it('say so before they are loaded, too', () => {
    expect(() => estimate({ id: 'tiny', options: defaults, files: write({ model: 'Not Found' }) })).to.throw(
      /not an ONNX model/,
    )
  })
})

describe('files that have gone', () => {
  const write = temporaryFiles()
  const pair = tinyPair(tiny)

  for (const name of ['model', 'vision_model', 'tokenizer.json'])
    it(`${name}: model_files, in a sentence without paths`, async () => {
      const paths = write({ model: pair.text.bytes, vision_model: pair.vision.bytes, ...tokenizer, ...pixels() })
      rmSync(paths[name]!)
      const attempts = [() => backendOf(paths).load()]
      if (name !== 'tokenizer.json')
        attempts.push(async () => {
          await estimate({ id: 'tiny', options: defaults, files: paths })
          return { provides: [] }
        })
      for (const attempt of attempts) {
        const error: unknown = await attempt().catch((reason: unknown) => reason)
        if (!isSallyportError(error)) throw error
        expect(error.code).to.equal('model_files')
        expect(error.message).to.equal(`model tiny: its file "${name}" is missing: put it back, or restart the server`)
      }
    })
})
