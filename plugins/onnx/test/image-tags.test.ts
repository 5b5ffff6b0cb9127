import { expect } from 'chai'
import { createKernel } from '@sallyport/kernel'
import { definePlugin, embedding, failure, imageClassification, injectable } from '@sallyport/core'
import type {
  EmbeddingCapability,
  EmbeddingInput,
  EmbeddingRequest,
  ImageClassificationCapability,
  ImageClassificationRequest,
  Kernel,
} from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'
import { runConformance } from '@sallyport/testing'
import { imageTagsBackend } from '../src/image-tags/definition.js'
import onnx from '../src/index.js'
import { draw, drawAgain, drawingNames } from './support/drawings.js'

const dot = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, axis) => sum + value * (right[axis] ?? 0), 0)

const close = (actual: Float32Array | undefined, expected: Float32Array) => {
  expect(actual).to.have.length(expected.length)
  expected.forEach((value, axis) => expect(actual?.[axis]).to.be.closeTo(value, 1e-6))
}

const axes = ['a photo of a cup', 'a photo of a cat', 'hello']
const texts: EmbeddingRequest[] = []

/** A text is an axis of its own. */
const axis = (text: string) => Float32Array.from({ length: 4 }, (_, index) => (axes.indexOf(text) === index ? 1 : 0))

@injectable()
class Axes implements EmbeddingCapability {
  embed(request: EmbeddingRequest) {
    texts.push(request)
    const place = request.inputs.findIndex((input) => 'text' in input && input.text === 'too long')
    if (place >= 0)
      return Promise.reject(failure('context_exceeded', { tokens: 9, limit: 8, field: `inputs[${place}]` }))
    const vectors = request.inputs.map((input) => axis('text' in input ? (input.text ?? '') : ''))
    return Promise.resolve({ vectors, promptTokens: 2 * request.inputs.length })
  }
}

const image = (content: string, text?: string): EmbeddingInput => ({
  image: Buffer.from(content),
  mediaType: 'image/png',
  ...(text !== undefined && { text }),
})

@injectable()
class Cups implements ImageClassificationCapability {
  classify({ images, top }: ImageClassificationRequest) {
    expect(top).to.equal(7)
    if (images.some(({ image }) => Buffer.from(image).toString() === 'broken'))
      throw failure('invalid_request', { field: 'images[0].image', problem: 'is a broken image' })
    const labels = [
      { label: 'cup', score: 0.6 },
      { label: 'cat', score: 0.2 },
    ]
    return Promise.resolve({ labels: images.map(() => labels) })
  }
}

describe('tags of images in the space of a text model', () => {
  let kernel: Kernel
  const parts = definePlugin({
    name: 'parts',
    models: { axes: { capability: embedding, class: Axes }, cups: { capability: imageClassification, class: Cups } },
  })
  const configured = (options: object = {}) => ({
    plugins: [parts, onnx],
    models: {
      'image-tags': { backend: 'image-tags', options: { classifier: 'cups', texts: 'axes', top: 7, ...options } },
    },
  })
  before(async () => (kernel = await createKernel(configured())))
  beforeEach(() => texts.splice(0))
  after(() => kernel.stop())

  const embed = (inputs: EmbeddingInput[], more: Partial<EmbeddingRequest> = {}) =>
    kernel.get(embedding, 'image-tags').embed({ inputs, ...more })
  const cups = normalised(Float32Array.of(0.6, 0.2, 0, 0))

  it('are weighted by how probable they are, and of unit length', async () => {
    const { vectors, promptTokens } = await embed([image('x')])
    close(vectors[0], cups)
    expect(promptTokens).to.equal(0)
  })

  it('stand beside texts and token ids, in order; an image with a text is the mean of both', async () => {
    const { vectors, promptTokens } = await embed([image('x'), { text: 'hello' }, image('y', 'hello'), { tokens: [1] }])
    close(vectors[0], cups)
    close(vectors[1], axis('hello'))
    close(vectors[2], normalised(cups.map((value, index) => value + (axis('hello')[index] ?? 0))))
    close(vectors[3], axis(''))
    expect(promptTokens).to.equal(6)
  })

  it('are asked for once, and texts with what the request says', async () => {
    await embed([image('x'), { text: 'hello' }], { inputType: 'query', truncate: 'left' })
    await embed([image('x')])
    expect(texts).to.deep.equal([{ inputs: [{ text: 'hello' }], inputType: 'query', truncate: 'left' }])
  })

  it('leave requests without images to the text model', async () => {
    const written: EmbeddingInput[] = [{ text: 'hello' }, { tokens: [1, 2] }]
    const { vectors, promptTokens } = await embed(written, { truncate: 'right', dimensions: 2 })
    expect(vectors).to.have.length(2)
    expect(promptTokens).to.equal(4)
    expect(texts).to.deep.equal([{ inputs: written, truncate: 'right', dimensions: 2 }])
    const inputs = Array.from({ length: 600 }, (_, index) => ({ text: index === 500 ? 'too long' : 'hello' }))
    const error: unknown = await embed(inputs).catch((reason: unknown) => reason)
    expect(error)
      .to.have.property('message')
      .that.matches(/^inputs\[500\]: has 9 tokens/)
  })

  it('are refused where an image cannot be read, which is named', async () => {
    const error = await embed([{ text: 'hello' }, image('broken')]).catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'invalid_request', message: 'inputs[1].image: is a broken image' })
  })

  it('are refused with a text that is too long, which is named by its place in the request', async () => {
    const inputs = [image('one'), { text: 'hello' }, image('two'), { text: 'too long' }]
    const error: unknown = await embed(inputs).catch((reason: unknown) => reason)
    expect(error)
      .to.have.property('message')
      .that.matches(/^inputs\[3\]: has 9 tokens/)
  })

  it('are listed with what they do not know', () => {
    const [model] = kernel.models(embedding).filter(({ id }) => id === 'image-tags')
    expect(model?.features).to.deep.equal({ image: true })
    expect(model?.description).to.include('does not know people')
    expect(model?.description).not.to.match(/clip/i)
  })

  for (const [options, problem] of [
    [{ texts: 'image-tags' }, 'its option texts names "image-tags", which is no other model with embedding'],
    [{ classifier: 'axes' }, 'its option classifier names "axes", which is no other model with image-classification'],
  ] as const)
    it(`need other models, at a start and at a check: ${problem}`, async () => {
      const model = { id: 'image-tags', files: {}, options: { classifier: 'cups', texts: 'axes', ...options } }
      expect(() => void imageTagsBackend.check?.(model, kernel, '/')).to.throw(problem)
      const error = await createKernel(configured(options)).catch((thrown: unknown) => thrown)
      expect(error).to.have.property('message').that.includes(problem)
    })
})

describe('tags of images in the space of what is made of them', () => {
  it('are refused: calls would go in circles', async () => {
    const parts = definePlugin({
      name: 'parts',
      models: { cups: { capability: imageClassification, class: Cups } },
    })
    const of = (texts: string) => ({ backend: 'image-tags', options: { classifier: 'cups', texts } })
    const models = { one: of('other'), other: of('one') }
    const error = await createKernel({ plugins: [parts, onnx], models }).catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'model_invalid' })
    expect(error).to.have.property('message').that.includes('composed of this model: other → one → other')
  })
})

describe('image-tags of EfficientNet-Lite0 and all-MiniLM-L6-v2', () => {
  let kernel: Kernel

  before(async function () {
    // the files may have to be fetched
    this.timeout(300_000)
    kernel = await createKernel({
      plugins: [new URL('../src/index.js', import.meta.url)],
      models: {
        'all-minilm-l6-v2': { backend: 'onnx' },
        'efficientnet-lite0': { backend: 'efficientnet' },
        'image-tags': { backend: 'image-tags' },
      },
    })
  })
  after(async () => (kernel as Kernel | undefined)?.stop())

  runConformance(embedding, {
    create: () => Promise.resolve(kernel.get(embedding, 'image-tags')),
    facts: { contextLength: 256, dimensions: 384, features: { image: true } },
  })

  it('takes texts as its text model does', async () => {
    const inputs: EmbeddingInput[] = [{ text: 'a cup' }, { tokens: [5, 99_999_999] }, { text: 'word '.repeat(500) }]
    const ask = (id: string) => kernel.get(embedding, id).embed({ inputs, truncate: 'left', inputType: 'query' })
    expect(await ask('image-tags')).to.deep.equal(await ask('all-minilm-l6-v2'))
    const lengths = kernel.models(embedding).map(({ contextLength }) => contextLength)
    expect(lengths).to.deep.equal([256, 256])
  })

  it('finds the image that a text is about', async () => {
    const images = await Promise.all(
      drawingNames.map(async (name) => ({ image: await draw(name), mediaType: 'image/png' })),
    )
    const service = kernel.get(embedding, 'image-tags')
    const { vectors: seen } = await service.embed({ inputs: images })
    const queries = ['Cars wait at the red signal of a junction.', 'What time is it?', 'a puzzle with words in squares']
    const { vectors: asked } = await service.embed({ inputs: queries.map((text) => ({ text })) })
    const best = asked.map((query) => {
      const scores = seen.map((image) => dot(query, image))
      return drawingNames[scores.indexOf(Math.max(...scores))]
    })
    expect(best).to.deep.equal(drawingNames)
  })

  it('finds the image that shows the same', async () => {
    const service = kernel.get(embedding, 'image-tags')
    const inputs = await Promise.all(
      drawingNames
        .flatMap((name) => [draw(name), drawAgain(name)])
        .map(async (image) => ({ image: await image, mediaType: '' })),
    )
    const { vectors } = await service.embed({ inputs })
    for (const [index, vector] of vectors.entries()) {
      const scores = vectors.map((other, place) => (place === index ? -1 : dot(vector, other)))
      expect(scores.indexOf(Math.max(...scores))).to.equal(index ^ 1)
    }
  })
})
