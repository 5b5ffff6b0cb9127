import type {
  Call,
  EmbeddingCapability,
  EmbeddingInput,
  EmbeddingRequest,
  EmbeddingResult,
  ImageClassificationCapability,
  Served,
} from '@sallyport/core'
import { withInputIndex, withRenamedField } from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'
import { jointVector } from '../images/joint-vector.js'

type ImageInput = Extract<EmbeddingInput, { image: Uint8Array }>

/**
 * Images become vectors in the space of a text model: the sum of the vectors of "a photo of a LABEL", weighted by how
 * probable the label is (ConSE, Norouzi et al. 2013, https://arxiv.org/abs/1312.5650).
 */
export class TagEmbedding implements EmbeddingCapability {
  private readonly labels: LabelVectors

  /** Each call looks the models up, as they may be loaded later and come back after a crash. */
  constructor(
    private readonly texts: () => Served<EmbeddingCapability>,
    private readonly classifier: () => Served<ImageClassificationCapability>,
    private readonly topK: number,
  ) {
    this.labels = new LabelVectors(texts)
  }

  /** @throws what the text model throws; invalid_request for images that cannot be read */
  async embed(request: EmbeddingRequest, call: Call): Promise<EmbeddingResult> {
    if (!request.inputs.some((input) => 'image' in input)) return this.texts().embed(request, call)
    const { vectors, promptTokens } = await this.embedTexts(request, call)
    const images = await this.embedImages(request, call)
    const all = request.inputs.map((_, index) => jointVector(vectors.get(index), images.get(index)))
    return { vectors: all, promptTokens }
  }

  /** The vectors of texts, by the position of the input. */
  private async embedTexts(request: EmbeddingRequest, call: Call) {
    const texts = request.inputs.flatMap((input, index) => {
      if (!('image' in input)) return [{ input, index }]
      return input.text === undefined ? [] : [{ input: { text: input.text }, index }]
    })
    if (texts.length === 0) return { vectors: new Map<number, Float32Array>(), promptTokens: 0 }
    const { vectors, promptTokens } = await this.texts()
      .embed({ ...request, inputs: texts.map(({ input }) => input) }, call)
      .catch((error: unknown) => {
        throw withInputIndex(error, (place) => texts[place]?.index ?? place)
      })
    return { vectors: new Map(vectors.map((vector, place) => [texts[place]?.index ?? -1, vector])), promptTokens }
  }

  /** The vectors of images, by the position of the input. */
  private async embedImages({ inputs, dimensions }: EmbeddingRequest, call: Call): Promise<Map<number, Float32Array>> {
    const vectors = new Map<number, Float32Array>()
    for (const [index, input] of inputs.entries())
      if ('image' in input) vectors.set(index, await this.embedImage(input, index, dimensions, call))
    return vectors
  }

  private async embedImage(
    { image, mediaType }: ImageInput,
    index: number,
    dimensions: number | undefined,
    call: Call,
  ): Promise<Float32Array> {
    const classified = await this.classifier()
      .classify({ images: [{ image, mediaType }], top: this.topK }, call)
      .catch((error: unknown) => {
        throw withRenamedField(error, (field) => field.replace('images[0]', `inputs[${index}]`))
      })
    const [labels = []] = classified.labels
    const names = labels.map(({ label }) => label)
    const vectors = await this.labels.vectorsOf(names, dimensions, call)
    const sum = new Float32Array(vectors[0]?.length ?? 0)
    for (const [place, { score }] of labels.entries())
      vectors[place]?.forEach((value, axis) => (sum[axis] = (sum[axis] ?? 0) + score * value))
    return normalised(sum)
  }
}

/** The vectors of labels, each computed once. */
class LabelVectors {
  /** Vectors by label and dimensions. The labels of the classifier bound their number. */
  private readonly vectors = new Map<string, Float32Array>()

  constructor(private readonly texts: () => Served<EmbeddingCapability>) {}

  async vectorsOf(labels: readonly string[], dimensions: number | undefined, call: Call): Promise<Float32Array[]> {
    const key = (label: string) => `${dimensions ?? 'all'} ${label}`
    const missing = [...new Set(labels)].filter((label) => !this.vectors.has(key(label)))
    if (missing.length) {
      const inputs = missing.map((label) => ({ text: `a photo of a ${label}` }))
      const request = { inputs, ...(dimensions !== undefined && { dimensions }) }
      const { vectors } = await this.texts().embed(request, call)
      vectors.forEach((vector, index) => this.vectors.set(key(missing[index] ?? ''), vector))
    }
    return labels.map((label) => this.vectors.get(key(label)) ?? new Float32Array())
  }
}
