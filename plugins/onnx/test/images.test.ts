import { expect } from 'chai'
import sharp from 'sharp'
import { testCall } from '@sallyport/testing'
import { errorOf, rejection } from '@sallyport/stand-ins/errors'
import { ImageError } from '../src/images/image-error.js'
import { ImageTower } from '../src/images/image-tower.js'
import { jointVector } from '../src/images/joint-vector.js'
import { prepareImage } from '../src/images/prepare-image.js'
import { readPreprocessing } from '../src/images/preprocessor-config.js'
import type { Preprocessing } from '../src/images/preprocessor-config.js'
import { OrtSession } from '../src/session/ort-session.js'
import { encoded, plain, waves } from './support/images.js'
import { referenceResize } from './support/reference-resize.js'
import type { Bitmap } from './support/reference-resize.js'
import { tinyPair } from './support/tiny-models.js'

const asIs: Preprocessing = { kernel: 'cubic', rescale: 1, mean: [0, 0, 0], std: [1, 1, 1] }

const planesOf = ({ width, height, values }: Bitmap): number[] =>
  [0, 1, 2].flatMap((channel) => Array.from({ length: width * height }, (_, pixel) => values[pixel * 3 + channel]!))

const furthest = (actual: ArrayLike<number>, expected: readonly number[]): number => {
  expect(actual.length).to.equal(expected.length)
  return expected.reduce((most, value, index) => Math.max(most, Math.abs(value - actual[index]!)), 0)
}

describe('an image made ready for a model', () => {
  for (const kernel of ['linear', 'cubic'] as const)
    for (const [from, to] of [
      [waves(90, 60), [33, 22]],
      [waves(20, 30), [40, 45]],
    ] as const)
      it(`is resized (${kernel}, ${from.width} × ${from.height} to ${to.join(' × ')}) as PIL does`, async () => {
        const [width, height] = to
        const { values } = await prepareImage(await encoded(from), { ...asIs, kernel, resize: { width, height } })
        const expected = planesOf(referenceResize(from, width, height, kernel))
        const mean = expected.reduce((sum, value, index) => sum + Math.abs(value - values[index]!), 0) / expected.length
        // The library puts enlarged pixels up to half a pixel elsewhere.
        const enlarged = to[0] > from.width
        expect(furthest(values, expected)).to.be.below(enlarged ? 13 : 6)
        expect(mean).to.be.below(enlarged ? 5 : 1)
      })

  it('keeps its form where the shorter side is given, is cut from the middle, and is scaled', async () => {
    const image = waves(40, 24)
    const config = { ...asIs, resize: { shortest: 24 }, crop: { width: 20, height: 16 } }
    const normal = { rescale: 1 / 255, mean: [0.5, 0.4, 0.3], std: [0.5, 0.25, 0.2] }
    const { width, height, values } = await prepareImage(await encoded(image), { ...config, ...normal })
    expect([width, height]).to.deep.equal([20, 16])
    const expected = [0, 1, 2].flatMap((channel) =>
      Array.from({ length: 320 }, (_, pixel) => {
        const [x, y] = [(pixel % 20) + 10, Math.floor(pixel / 20) + 4]
        return (image.values[(y * 40 + x) * 3 + channel]! / 255 - normal.mean[channel]!) / normal.std[channel]!
      }),
    )
    expect(furthest(values, expected)).to.be.below(1e-5)
  })

  it('is surrounded by black where it is smaller than the cut', async () => {
    const { values } = await prepareImage(await encoded(plain(2, 1, [9, 9, 9])), {
      ...asIs,
      crop: { width: 4, height: 4 },
    })
    expect([...values.subarray(0, 16)]).to.deep.equal([0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 9, 0, 0, 0, 0, 0])
  })

  for (const format of ['png', 'webp', 'gif', 'jpeg'] as const)
    it(`is read from ${format}`, async () => {
      const { values } = await prepareImage(await encoded(plain(8, 8, [200, 100, 50]), format), asIs)
      expect(furthest(values, planesOf(plain(8, 8, [200, 100, 50])))).to.be.at.most(4)
    })

  it('is on white where it is transparent', async () => {
    const clear = { width: 2, height: 2, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } as const
    const { values } = await prepareImage(await sharp({ create: clear }).png().toBuffer(), asIs)
    expect([...new Set(values)]).to.deep.equal([255])
  })

  it('has three channels where its file has one', async () => {
    const { values } = await prepareImage(
      await sharp(await encoded(plain(2, 2, [7, 7, 7])))
        .greyscale()
        .png()
        .toBuffer(),
      asIs,
    )
    expect([...values]).to.deep.equal(Array.from({ length: 12 }, () => 7))
  })

  it('is turned as its metadata says', async () => {
    const turned = await sharp(await encoded(waves(6, 4)))
      .withMetadata({ orientation: 6 })
      .png()
      .toBuffer()
    const { width, height } = await prepareImage(turned, asIs)
    expect([width, height]).to.deep.equal([4, 6])
  })

  it('leaves the event loop free while it is decoded', async () => {
    const large = await sharp({ create: { width: 3000, height: 3000, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    let turns = 0
    let next: NodeJS.Immediate
    const turn = () => {
      turns++
      next = setImmediate(turn)
    }
    turn()
    await prepareImage(large, { ...asIs, resize: { width: 8, height: 8 } })
    clearImmediate(next!)
    expect(turns).to.be.above(20)
  })
})

describe('what is no image', () => {
  const png = () => encoded(waves(30, 30))
  const claiming = async (width: number, height: number) => {
    const bytes = await encoded(plain(8, 8, [9, 9, 9]), 'jpeg')
    const frame = bytes.indexOf(Buffer.of(0xff, 0xc0))
    bytes.writeUInt16BE(height, frame + 5)
    bytes.writeUInt16BE(width, frame + 7)
    return bytes
  }
  for (const [name, make, problem] of [
    ['nothing', () => Buffer.alloc(0), 'is not an image of the types png, jpeg, webp or gif'],
    ['a text', () => Buffer.from('hello'), 'is not an image'],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'), 'is not an image'],
    [
      'an SVG with the letters of WebP in their place',
      () => Buffer.from("<svg a='WEBP' xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>"),
      'is not an image',
    ],
    [
      'a TIFF',
      async () =>
        sharp(await png())
          .tiff()
          .toBuffer(),
      'is not an image',
    ],
    [
      'an AVIF',
      async () =>
        sharp(await png())
          .avif()
          .toBuffer(),
      'is not an image',
    ],
    ['a header alone', async () => (await png()).subarray(0, 40), 'is a broken image'],
    ['half an image', async () => (await png()).subarray(0, 300), 'is a broken image'],
    [
      'a signature with an SVG',
      () => Buffer.from('GIF89a<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'is a broken image',
    ],
    ['a very long side', () => claiming(1, 16_385), 'has 1 × 16385 pixels, and no side may have more than 16384'],
    ['900 million pixels', () => claiming(30_000, 30_000), 'has 30000 × 30000 pixels, which is more than 50 million'],
  ] as const)
    it(`is refused: ${name}`, async () => {
      const error = await rejection(prepareImage(await make(), asIs))
      expect(error).to.be.instanceOf(ImageError).with.property('message').that.includes(problem)
    })

  it('is refused: what the decoder takes for another format than its first bytes say', async () => {
    const image = await png()
    const decoder = sharp.prototype as { metadata: unknown }
    const { metadata } = decoder
    const { autoOrient } = await sharp(image).metadata()
    decoder.metadata = () => Promise.resolve({ format: 'svg', autoOrient })
    const error = await rejection(prepareImage(image, asIs)).finally(() => (decoder.metadata = metadata))
    expect(error).to.be.instanceOf(ImageError).with.property('message', 'is a broken image')
  })

  it('is refused before much work: a line that would become a wall', async () => {
    const error = await rejection(
      prepareImage(await encoded(plain(2000, 1, [0, 0, 0])), { ...asIs, resize: { shortest: 224 } }),
    )
    expect(error).to.have.property('message', 'has an extreme aspect ratio (2000 × 1 pixels): crop it')
  })
})

describe('preprocessor_config.json', () => {
  const clip = { mean: [0.48145466, 0.4578275, 0.40821073], std: [0.26862954, 0.26130258, 0.27577711] }
  const half = { mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] }
  const halves = { image_mean: half.mean, image_std: half.std }
  for (const [name, config, expected] of [
    [
      'that is not there',
      undefined,
      { resize: { shortest: 224 }, kernel: 'cubic', crop: { width: 224, height: 224 }, rescale: 1 / 255, ...clip },
    ],
    [
      'of CLIP in its old form',
      { feature_extractor_type: 'CLIPFeatureExtractor', size: 336, crop_size: 336, do_center_crop: true, resample: 3 },
      { resize: { shortest: 336 }, kernel: 'cubic', crop: { width: 336, height: 336 }, rescale: 1 / 255, ...clip },
    ],
    [
      'of CLIP in its new form',
      {
        image_processor_type: 'CLIPImageProcessor',
        size: { shortest_edge: 224 },
        crop_size: { height: 224, width: 224 },
      },
      { resize: { shortest: 224 }, kernel: 'cubic', crop: { width: 224, height: 224 }, rescale: 1 / 255, ...clip },
    ],
    [
      'of SigLIP, which does not crop',
      { image_processor_type: 'SiglipImageProcessor', size: { height: 384, width: 384 }, ...halves },
      { resize: { width: 384, height: 384 }, kernel: 'cubic', rescale: 1 / 255, ...half },
    ],
    [
      'of ViT, whose number is both sides',
      { image_processor_type: 'ViTImageProcessor', size: 224, resample: 2, rescale_factor: 0.5, ...halves },
      { resize: { width: 224, height: 224 }, kernel: 'linear', rescale: 0.5, ...half },
    ],
    [
      'that switches everything off',
      { do_resize: false, do_center_crop: false, do_rescale: false, do_normalize: false },
      { kernel: 'cubic', rescale: 1, mean: [0, 0, 0], std: [1, 1, 1] },
    ],
  ] as const)
    it(`is read: one ${name}`, () => expect(readPreprocessing('m', config)).to.deep.equal(expected))

  for (const [config, problem] of [
    [[], 'must hold an object'],
    [{ resample: 5 }, 'resample 5 is not supported'],
    [{ size: { longest_edge: 8 } }, 'size must be a number'],
    [{ size: 1e9 }, 'size must be a number'],
    [{ crop_size: { shortest_edge: 8 } }, 'crop_size must be a number or {height, width}'],
    [{ image_mean: [1] }, 'image_mean must hold three numbers'],
    [{ rescale_factor: '1' }, 'rescale_factor must be a number'],
  ] as const)
    it(`is refused: ${JSON.stringify(config)}`, () =>
      expect(() => readPreprocessing('m', config)).to.throw(`model m: preprocessor_config.json: ${problem}`))
})

describe('the half of a two-tower model that reads images', () => {
  const { vision, both, side } = tinyPair()
  const preprocessor = { size: { height: side, width: side }, do_center_crop: false, do_normalize: false }
  const image = waves(side, side)
  const expected = vision.expected(Float32Array.from(planesOf(image), (value) => value / 255))
  const options = { optimization: 'all', executionProvider: 'cpu', threads: 1 } as const

  for (const [name, bytes] of Object.entries({
    'a file of its own': vision.bytes,
    'one file with the other half': both,
  }))
    it(`gives vectors, as computed by hand, from ${name}`, async () => {
      const session = await OrtSession.load('m', bytes, options)
      const tower = ImageTower.load('m', session, preprocessor)
      const file = await encoded(image)
      const named = ['inputs[0].image', 'inputs[2].image'].map((field) => ({ image: file, field }))
      const vectors = await tower.embed(named, testCall())
      expect(vectors).to.have.length(2)
      for (const vector of vectors) expect(furthest(vector, [...expected])).to.be.below(1e-5)
      await session.release()
    })

  it('names the image that it cannot read, and reads the next one', async () => {
    const session = await OrtSession.load('m', vision.bytes, options)
    const tower = ImageTower.load('m', session, preprocessor)
    const broken = { image: Buffer.from('\x89PNG\r\n\x1a\nxxxxxxxxxxxxxxxx', 'latin1'), field: 'inputs[7].image' }
    const error = await errorOf(tower.embed([broken], testCall()), 'invalid_request')
    expect(error.message).to.equal('inputs[7].image: is a broken image')
    expect(await tower.embed([{ image: await encoded(image), field: 'x' }], testCall())).to.have.length(1)
    await session.release()
  })

  it('is refused where the file reads images of another size', async () => {
    const session = await OrtSession.load('m', vision.bytes, options)
    expect(() => ImageTower.load('m', session)).to.throw(
      'its vision model takes images of the shape [-1, 3, 8, 8], but preprocessor_config.json makes [1, 3, 224, 224]',
    )
    await session.release()
  })

  it('makes one vector of a text and an image: the mean of both unit vectors', () => {
    const [x, y] = [...jointVector(Float32Array.of(5, 0), Float32Array.of(0, 0.1))]
    expect(x).to.be.closeTo(Math.SQRT1_2, 1e-6)
    expect(y).to.be.closeTo(Math.SQRT1_2, 1e-6)
  })
})
