import { expect } from 'chai'
import { createKernel } from '@sallyport/kernel'
import { imageClassification } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { runConformance } from '@sallyport/testing'
import { torchFile } from '@sallyport/stand-ins/torch-file'
import { EfficientNetBackend } from '../src/image-classification/definition.js'
import { viewsOf } from '../src/image-classification/image-classifier.js'
import { draw, drawAgain, drawingNames } from './support/drawings.js'
import { temporaryFiles } from './support/loading.js'
import { encoded, plain } from './support/images.js'

const id = 'efficientnet-lite0'

describe('EfficientNet-Lite0 in a process of its own', () => {
  let kernel: Kernel

  before(async function () {
    // its files may have to be fetched
    this.timeout(300_000)
    kernel = await createKernel({
      plugins: [new URL('../src/index.js', import.meta.url)],
      models: { [id]: { backend: 'efficientnet' } },
    })
  })
  after(async () => (kernel as Kernel | undefined)?.stop())

  runConformance(imageClassification, { create: () => Promise.resolve(kernel.get(imageClassification, id)) })

  for (const name of drawingNames)
    it(`recognises a drawn ${name}, also larger, wider and in another format`, async () => {
      const images = [await draw(name), await drawAgain(name)].map((image) => ({ image, mediaType: 'image/png' }))
      const { labels } = await kernel.get(imageClassification, id).classify({ images })
      for (const [best] of labels) {
        expect(best?.label).to.equal(name)
        expect(best?.score).to.be.above(0.3)
      }
    })

  it('gives five labels, or as many as asked for, of which all together are certain', async () => {
    const service = kernel.get(imageClassification, id)
    const images = [{ image: await draw('crossword'), mediaType: 'image/png' }]
    expect((await service.classify({ images })).labels[0]).to.have.length(5)
    const all = (await service.classify({ images, top: 5000 })).labels[0] ?? []
    expect(all).to.have.length(1000)
    expect(all.reduce((sum, { score }) => sum + score, 0)).to.be.closeTo(1, 1e-4)
  })

  it('names the image that cannot be read', async () => {
    const images = [await draw('crossword'), Buffer.from('GIF89a')].map((image) => ({ image, mediaType: 'image/gif' }))
    const error = await kernel
      .get(imageClassification, id)
      .classify({ images })
      .catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'invalid_request', message: 'images[1].image: is a broken image' })
    expect(error).to.have.nested.property('details.field', 'images[1].image')
  })
})

describe('an image as EfficientNet reads it', () => {
  const side = 224
  const at = (views: Float32Array, view: number, x: number, y: number) =>
    [0, 1, 2].map((channel) => views[((view * 3 + channel) * side + y) * side + x])

  it('is seen twice: its middle, and all of it on grey, as (byte − 127) / 128', async () => {
    const views = await viewsOf(await encoded(plain(60, 30, [255, 127, 0])))
    expect(views).to.have.length(2 * 3 * side * side)
    expect(at(views, 0, 0, 0)).to.deep.equal([1, 0, -127 / 128])
    expect(at(views, 1, 0, 0)).to.deep.equal([0, 0, 0])
    expect(at(views, 1, 112, 112)).to.deep.equal([1, 0, -127 / 128])
  })

  it('takes little work whatever its form', async () => {
    expect(await viewsOf(await encoded(plain(3000, 1, [0, 0, 0])))).to.have.length(2 * 3 * side * side)
  })
})

describe('weights that are not those of EfficientNet-Lite0', () => {
  const write = temporaryFiles()
  const names = Array.from({ length: 1000 }, (_, index) => `class ${index}`)
  const other = torchFile({ weight: { storage: 'a', shape: [6], strides: [1] } }, { a: [1, 2, 3, 4, 5, 6] })

  for (const [name, files, problem] of [
    [
      'other weights',
      { model: other, 'classes.json': names },
      'the weights are not those of EfficientNet-Lite0: _conv_stem.weight is missing',
    ],
    ['another file', { model: 'hello', 'classes.json': names }, 'the file does not hold weights of PyTorch'],
    ['too few names', { model: other, 'classes.json': ['cat'] }, 'classes.json must hold an array of 1000 strings'],
    ['names that are not JSON', { model: other, 'classes.json': 'cat' }, 'its classes.json is not valid JSON'],
    ['no names', { model: other }, 'it has no file "classes.json"'],
  ] as const)
    it(`are refused: ${name}`, async () => {
      const backend = new EfficientNetBackend({ id: 'm', options: {}, files: write(files) })
      const error = await backend.load().catch((thrown: unknown) => thrown)
      expect(error).to.have.property('message').that.includes(`model m: ${problem}`)
    })
})
