import { embedding } from '@sallyport/core'
import type { EmbeddingInput } from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'
import { runConformance, testCall } from '@sallyport/testing'
import { expect } from 'chai'
import { jointVector } from '../src/images/joint-vector.js'
import { load, temporaryFiles } from './support/loading.js'
import type { Loaded } from './support/loading.js'
import { encoded, plain } from './support/images.js'
import { tinyPair } from './support/tiny-models.js'
import { encode, tokenizerOf, wordPiece } from './support/tokenizers.js'

const { text: texts, vision, both, side } = tinyPair({ vocabulary: 80, positions: 256 })
const text = 'The quick fox, unwanted.'
const colour = [250, 120, 30]
const rawText = Float32Array.from(texts.expected(await encode(tokenizerOf(wordPiece), text)))
const textVector = normalised(rawText)
const pixels = colour.flatMap((byte) => Array.from({ length: side * side }, () => byte / 255))
const rawPicture = Float32Array.from(vision.expected(Float32Array.from(pixels)))
const pictureVector = normalised(rawPicture)
const common = {
  'tokenizer.json': wordPiece,
  'preprocessor_config.json': { size: { height: side, width: side }, do_center_crop: false, do_normalize: false },
}

const expectNear = (actual: Float32Array | undefined, expected: Float32Array) => {
  expect(actual).to.have.length(expected.length)
  for (const [index, value] of expected.entries()) expect(actual?.[index]).to.be.closeTo(value, 1e-5)
}

for (const [name, files] of Object.entries({
  'of two files': { model: texts.bytes, vision_model: vision.bytes, ...common },
  'of one file that holds both towers': { model: both, ...common },
}))
  describe(`a two-tower model ${name}`, () => {
    const write = temporaryFiles()
    let model: Loaded
    before(async () => (model = await load(write(files), { contextLength: 256 })))
    after(() => model.stop())

    it('gives vectors of texts, images and both, as computed by hand', async () => {
      const image = { image: await encoded(plain(20, 12, colour)), mediaType: 'image/png' }
      const inputs: EmbeddingInput[] = [image, { text }, { ...image, text }, { tokens: [3] }]
      const { vectors } = await model.service(embedding).embed({ inputs }, testCall())
      expectNear(vectors[0], pictureVector)
      expectNear(vectors[1], textVector)
      expectNear(vectors[2], jointVector(textVector, pictureVector))
      expect(vectors).to.have.length(4)
    })

    it('leaves images as long as texts where vectors are not normalised', async () => {
      const long = await load(write(files), { contextLength: 256, normalize: false })
      const image = { image: await encoded(plain(20, 12, colour)), mediaType: 'image/png' }
      const { vectors } = await long
        .service(embedding)
        .embed({ inputs: [image, { text }, { ...image, text }] }, testCall())
      await long.stop()
      expectNear(vectors[0], rawPicture)
      expectNear(vectors[1], rawText)
      expectNear(vectors[2], jointVector(textVector, pictureVector))
    })

    it('says that it takes images', () => expect(model.descriptor?.features).to.deep.equal({ image: true }))

    it('names the image that it cannot read', async () => {
      const inputs = [{ text }, { image: Buffer.from('GIF89a'), mediaType: 'image/gif' }]
      const error = await model
        .service(embedding)
        .embed({ inputs }, testCall())
        .catch((thrown: unknown) => thrown)
      expect(error).to.include({ code: 'invalid_request', message: 'inputs[1].image: is a broken image' })
    })

    runConformance(embedding, {
      create: () => Promise.resolve(model.service(embedding)),
      facts: { contextLength: 256, features: { image: true } },
      skip: {
        'similar texts are nearer to each other than different ones': 'the weights are random',
      },
    })
  })
