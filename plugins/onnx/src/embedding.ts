import { failure, withRenamedField, tooLongAt } from '@sallyport/core'
import type { Call, EmbeddingCapability, EmbeddingInput, EmbeddingRequest, EmbeddingResult } from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'
import type { Evaluate } from './encoder/text-model.js'
import type { ImageTower } from './images/image-tower.js'
import { jointVector } from './images/joint-vector.js'
import type { Encoding } from './text/token-template.js'
import type { TextTokenizer } from './text/tokenizer.js'

/** The properties of a model's vectors. */
export interface EmbeddingProperties {
  readonly normalize: boolean
  readonly prefixes: { readonly query?: string; readonly document?: string }
  /** The dimensions to which vectors may be cut; all dimensions are always allowed. */
  readonly matryoshkaDimensions: readonly number[]
  /** The dimensions of a vector that is not cut. */
  readonly dimensions: number
}

export interface EmbeddingParts {
  readonly tokenizer: TextTokenizer
  readonly evaluate: Evaluate
  readonly properties: EmbeddingProperties
  /** Present where the model takes images. */
  readonly imageTower?: Pick<ImageTower, 'embed'> | undefined
}

type TextInput = { readonly text: string } | { readonly tokens: number[] }

/** A text with its purpose. */
export interface EmbeddingText {
  readonly text: string
  readonly inputType: NonNullable<EmbeddingRequest['inputType']>
}

/** An input with its field in the request and the options for reading it. */
interface LocatedInput {
  readonly input: TextInput
  readonly field: string
  readonly options: Pick<EmbeddingRequest, 'inputType' | 'truncate'>
}

/** Embeds texts, token ids and, where the model has an image tower, images. */
export class OnnxEmbedding implements EmbeddingCapability {
  constructor(private readonly parts: EmbeddingParts) {}

  async embed(request: EmbeddingRequest, call: Call): Promise<EmbeddingResult> {
    const { inputs, dimensions } = request
    this.checkDimensions(dimensions)
    const images = await this.embedImages(inputs, call)
    const { vectors, promptTokens } = await this.embedInputs(locatedTextInputs(request), call)
    const texts = vectors.values()
    const all = inputs.map((input, index) => {
      const text = isTextInput(input) ? texts.next().value : undefined
      return this.cut(jointVector(text, images.get(index)), dimensions)
    })
    return { vectors: all, promptTokens }
  }

  /**
   * Embeds texts of different purposes, such as a query with documents, as one call, which is admitted or refused as a
   * whole. Long texts are truncated at the end.
   */
  embedTexts(texts: readonly EmbeddingText[], call: Call): Promise<EmbeddingResult> {
    const inputs = texts.map(({ text, inputType }, index) => ({
      input: { text },
      field: `inputs[${index}]`,
      options: { inputType, truncate: 'right' as const },
    }))
    return this.embedInputs(inputs, call)
  }

  private async embedInputs(inputs: readonly LocatedInput[], call: Call): Promise<EmbeddingResult> {
    let promptTokens = 0
    const encode = async (input: LocatedInput) => {
      const encoding = await this.encode(input, call)
      promptTokens += encoding.ids.length
      return encoding
    }
    return { vectors: await this.parts.evaluate(inputs, encode, call), promptTokens }
  }

  private async encode(
    { input, field, options: { inputType, truncate } }: LocatedInput,
    call: Call,
  ): Promise<Encoding> {
    const { tokenizer, properties } = this.parts
    const encodeOptions = truncate ? { truncate } : {}
    const encoding = await (
      'tokens' in input
        ? tokenizer.encodeIds(input.tokens, encodeOptions, call)
        : tokenizer.encode(((inputType && properties.prefixes[inputType]) ?? '') + input.text, encodeOptions, call)
    ).catch((error: unknown) => {
      throw tooLongAt(
        field,
        withRenamedField(error, (part) => `${field}.${part}`),
      )
    })
    if (encoding.ids.length > 0) return encoding
    throw failure('invalid_request', { field, problem: 'must not be empty' })
  }

  /** The vectors of the images, by their position in the request. */
  private async embedImages(inputs: readonly EmbeddingInput[], call: Call): Promise<Map<number, Float32Array>> {
    const { imageTower, properties } = this.parts
    const images = inputs.flatMap((input, index) =>
      'image' in input ? [{ image: input.image, field: `inputs[${index}].image`, index }] : [],
    )
    const [first] = images
    if (!first) return new Map()
    if (!imageTower) throw failure('unsupported', { field: first.field, problem: imagesUnsupported })
    const vectors = await imageTower.embed(images, call)
    return new Map(
      vectors.map((vector, place) => [images[place]?.index ?? 0, properties.normalize ? normalised(vector) : vector]),
    )
  }

  private checkDimensions(dimensions: number | undefined): void {
    const { matryoshkaDimensions, dimensions: all } = this.parts.properties
    const allowed = [...matryoshkaDimensions.filter((one) => one < all), all]
    if (dimensions === undefined || allowed.includes(dimensions)) return
    const problem = `vectors of this model have ${allowed.join(' or ')} dimensions`
    throw failure('unsupported', { field: 'dimensions', problem })
  }

  private cut(vector: Float32Array, dimensions = vector.length): Float32Array {
    if (dimensions === vector.length) return vector
    const start = vector.slice(0, dimensions)
    return this.parts.properties.normalize ? normalised(start) : start
  }
}

const locatedTextInputs = ({ inputs, ...options }: EmbeddingRequest): LocatedInput[] =>
  inputs.flatMap((input, index) => (isTextInput(input) ? [{ input, field: `inputs[${index}]`, options }] : []))

const isTextInput = (input: EmbeddingInput): input is TextInput => 'tokens' in input || input.text !== undefined

const imagesUnsupported = 'this model does not take images: use one with the feature "image"'
