import { embedding, isSallyportError, silentLogger } from '@sallyport/core'
import { expect } from 'chai'
import { check } from '../src/check.js'
import { OnnxBackend } from '../src/backend.js'
import type { OnnxOptions } from '../src/options.js'
import { defaults, load, temporaryFiles } from './support/loading.js'
import type { FileContents } from './support/loading.js'
import { tinyEncoder, tinyPair } from './support/tiny-models.js'
import { wordPiece } from './support/tokenizers.js'

const files: FileContents = {
  model: tinyEncoder({ vocabulary: 80, hidden: 8, positions: 64 }).bytes,
  'tokenizer.json': wordPiece,
}
const positions = { 'config.json': { max_position_embeddings: 64 } }

describe('a context that is longer than the graph can evaluate', () => {
  const write = temporaryFiles()
  const specOf = (more: FileContents, contextLength: number) => {
    const options: OnnxOptions = { ...defaults, contextLength }
    return { id: 'tiny', files: write({ ...files, ...more }), options }
  }

  for (const [name, more, contextLength] of [
    ['by its positions', positions, 65],
    ['by trial', {}, 65],
    ['by trial, of a great length', {}, 100_000],
  ] as const)
    it(`is refused with what is possible: ${name}`, async () => {
      const spec = specOf(more, contextLength)
      const backend = new OnnxBackend(spec, silentLogger)
      const error: unknown = await backend.load().catch((reason: unknown) => reason)
      await backend.stop()
      expect(error).to.include({ code: 'model_invalid' })
      expect(isSallyportError(error) && error.message).to.equal(
        `model tiny: its option contextLength is ${contextLength}, and it cannot evaluate texts of that length: ` +
          'set it to 64 or less, or leave it out',
      )
    })

  it('is found by a check where the positions are known', () => {
    expect(() => check(specOf(positions, 65))).to.throw('set it to 64 or less')
    check(specOf(positions, 64))
  })

  it('is not given up to texts where only a file allows it', async () => {
    const model = await load(write({ ...files, 'sentence_bert_config.json': { max_seq_length: 256 } }))
    expect(model.descriptor?.contextLength).to.equal(64)
    const inputs = [{ text: 'the fox '.repeat(40) }]
    const { signal } = new AbortController()
    const call = { signal, deadline: Infinity, requestId: '', tenant: '' }
    const error: unknown = await model
      .service(embedding)
      .embed({ inputs }, call)
      .catch((reason: unknown) => reason)
    expect(error).to.include({ code: 'context_exceeded' })
    await model.stop()
  })

  it('is refused of towers that read padded texts, too', async () => {
    const pair = tinyPair({ vocabulary: 80, hidden: 8, positions: 16, mask: false })
    const preprocessor = { size: { height: 8, width: 8 }, do_center_crop: false, do_normalize: false }
    const paths = write({
      model: pair.text.bytes,
      vision_model: pair.vision.bytes,
      'tokenizer.json': wordPiece,
      'config.json': { text_config: { max_position_embeddings: 16 } },
      'preprocessor_config.json': preprocessor,
    })
    const error: unknown = await load(paths, { contextLength: 17 }).catch((reason: unknown) => reason)
    expect(isSallyportError(error) && error.message).to.include('set it to 16 or less')
  })
})

describe('the context of a catalogue', () => {
  const write = temporaryFiles()

  for (const [name, options, limit] of [
    ['holds where the configuration says nothing', {}, 24],
    ['gives way to the configuration', { contextLength: 40 }, 40],
  ] as const)
    it(name, async () => {
      const spec = { id: 'tiny', files: write(files), options: { ...defaults, ...options }, contextLength: 24 }
      const backend = new OnnxBackend(spec, silentLogger)
      expect((await backend.load()).descriptor?.contextLength).to.equal(limit)
      await backend.stop()
    })
})
