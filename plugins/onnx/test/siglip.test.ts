import { embedding } from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'
import { testCall } from '@sallyport/testing'
import { expect } from 'chai'
import { load, temporaryFiles } from './support/loading.js'
import { encoded, plain } from './support/images.js'
import { tinySiglip } from './support/tiny-models.js'
import { encode, tokenizerOf, wordPiece } from './support/tokenizers.js'

describe('a two-tower model in the layout of SigLIP', () => {
  const write = temporaryFiles()
  const { text, vision, side } = tinySiglip({ vocabulary: 80, positions: 64 })
  const trainedWith = 24
  const files = {
    model: text.bytes,
    vision_model: vision.bytes,
    'tokenizer.json': wordPiece,
    'tokenizer_config.json': { model_max_length: trainedWith, pad_token: { content: '[SEP]', special: true } },
    'preprocessor_config.json': { size: { height: side, width: side }, do_center_crop: false, do_normalize: false },
  }
  const texts = ['the fox', 'The quick fox, unwanted.', 'fox '.repeat(40)]
  const colour = [250, 120, 30]
  const pixels = colour.flatMap((byte) => Array.from({ length: side * side }, () => byte / 255))

  const expectNear = (actual: Float32Array | undefined, expected: readonly number[]) => {
    expect(actual).to.have.length(expected.length)
    for (const [index, value] of normalised(expected).entries()) expect(actual?.[index]).to.be.closeTo(value, 1e-5)
  }
  const idsOf = async (written: string, limit: number) =>
    (await encode(tokenizerOf(wordPiece, limit), written, { truncate: 'right' })).ids
  const padded = (ids: readonly number[]) => [...ids, ...Array.from({ length: trainedWith - ids.length }, () => 3)]

  for (const [what, limit] of [
    ['texts', trainedWith],
    ['texts of which less may be read', 8],
  ] as const)
    it(`pads ${what} as it was trained, and reads pooler_output of both towers`, async () => {
      const model = await load(write(files), limit === trainedWith ? {} : { contextLength: limit })
      const image = { image: await encoded(plain(20, 12, colour)), mediaType: 'image/png' }
      const inputs = [...texts.map((written) => ({ text: written })), image]
      try {
        const { vectors, promptTokens } = await model
          .service(embedding)
          .embed({ inputs, truncate: 'right' }, testCall())
        expect(model.descriptor).to.deep.equal({ contextLength: limit, features: { image: true } })
        const ids = await Promise.all(texts.map((written) => idsOf(written, limit)))
        for (const [index, own] of ids.entries()) expectNear(vectors[index], text.expected({ ids: padded(own) }))
        expectNear(vectors[texts.length], vision.expected(Float32Array.from(pixels)))
        expect(promptTokens, 'padding is not counted').to.equal(ids.reduce((sum, { length }) => sum + length, 0))
      } finally {
        await model.stop()
      }
    })
})
