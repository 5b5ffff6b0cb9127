import { failure, renamedField, tooLongAt } from '@sallyport/core'
import type { Call, EmbeddingCapability, EmbeddingInput, EmbeddingRequest, EmbeddingResult } from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'
import type { Evaluate } from './encoder/text-model.js'
import { meanOfBoth } from './images/index.js'
import type { NamedImage, ImageTower } from './images/index.js'
import type { Encoding } from './text/frame.js'
import type { TextTokenizer } from './text/tokenizer.js'

/** The properties of a model's vectors. */
export interface VectorFacts {
  readonly normalize: boolean
  readonly prefixes: { readonly query?: string; readonly document?: string }
  /** Lengths to which vectors may be cut (Matryoshka); the full length is always allowed. */
  readonly dimensions: readonly number[]
  /** The full length of a vector. */
  readonly width: number
}

export interface EmbeddingParts {
  readonly tokenizer: TextTokenizer
  readonly evaluate: Evaluate
  readonly facts: VectorFacts
  /** Present where the model reads images. */
  readonly images?: Pick<ImageTower, 'embed'> | undefined
}

type TextInput = Exclude<EmbeddingInput, { image: Uint8Array }> | { text: string }

type InputOptions = Pick<EmbeddingRequest, 'inputType' | 'truncate'>

/** A text with its purpose. */
export interface EmbeddingText {
  readonly text: string
  readonly inputType: NonNullable<EmbeddingRequest['inputType']>
}

/** Embeds texts of different purposes, such as a query with documents. */
export interface TextEmbedder {
  /** Cuts texts that are too long at the end. All texts are one call, which is admitted or refused as a whole. */
  embedTexts(texts: readonly EmbeddingText[], call: Call): Promise<EmbeddingResult>
}

/** An input with its field in the request and the options for reading it. */
interface PlacedInput {
  readonly input: TextInput
  readonly field: string
  readonly options: InputOptions
}

/** Embeds texts, token ids and, where the model reads them, images. */
export class OnnxEmbedding implements EmbeddingCapability, TextEmbedder {
  constructor(private readonly parts: EmbeddingParts) {}

  async embed(request: EmbeddingRequest, call: Call): Promise<EmbeddingResult> {
    const { inputs, dimensions } = request
    this.checkDimensions(dimensions)
    const images = await this.embedImages(inputs, call)
    const { vectors, promptTokens } = await this.embedInputs(placedTextInputs(request), call)
    const texts = vectors.values()
    const all = inputs.map((input, index) => {
      const text = isTextInput(input) ? texts.next().value : undefined
      const image = images.get(index)
      return this.cut(text && image ? meanOfBoth(text, image) : (text ?? image ?? new Float32Array()), dimensions)
    })
    return { vectors: all, promptTokens }
  }

  embedTexts(texts: readonly EmbeddingText[], call: Call): Promise<EmbeddingResult> {
    const placed = texts.map(({ text, inputType }, index) => ({
      input: { text },
      field: `inputs[${index}]`,
      options: { inputType, truncate: 'right' as const },
    }))
    return this.embedInputs(placed, call)
  }

  private async embedInputs(placed: readonly PlacedInput[], call: Call): Promise<EmbeddingResult> {
    let promptTokens = 0
    const encode = async (input: PlacedInput) => {
      const encoding = await this.encode(input, call)
      promptTokens += encoding.ids.length
      return encoding
    }
    return { vectors: await this.parts.evaluate(placed, encode, call), promptTokens }
  }

  private async encode({ input, field, options: { inputType, truncate } }: PlacedInput, call: Call): Promise<Encoding> {
    const { tokenizer, facts } = this.parts
    const encodeOptions = truncate ? { truncate } : {}
    const encoding = await (
      'tokens' in input
        ? tokenizer.encodeIds(input.tokens, encodeOptions, call)
        : tokenizer.encode(((inputType && facts.prefixes[inputType]) ?? '') + input.text, encodeOptions, call)
    ).catch((error: unknown) => {
      throw tooLongAt(
        field,
        renamedField(error, (part) => `${field}.${part}`),
      )
    })
    if (encoding.ids.length > 0) return encoding
    throw failure('invalid_request', { field, problem: 'must not be empty' })
  }

  /** The vectors of the images, by their position in the request. */
  private async embedImages(inputs: readonly EmbeddingInput[], call: Call): Promise<Map<number, Float32Array>> {
    const images = new Map<number, NamedImage>()
    for (const [index, input] of inputs.entries())
      if ('image' in input) images.set(index, { image: input.image, field: `inputs[${index}].image` })
    if (images.size === 0) return new Map()
    if (!this.parts.images) throw failure('unsupported', imagesUnsupported)
    const vectors = await this.parts.images.embed([...images.values()], call)
    const { normalize } = this.parts.facts
    const results = vectors.map((vector) => (normalize ? normalised(vector) : vector)).values()
    return new Map([...images.keys()].map((index) => [index, results.next().value ?? new Float32Array()]))
  }

  private checkDimensions(dimensions: number | undefined): void {
    const { width, dimensions: lengths } = this.parts.facts
    const allowed = [...lengths.filter((length) => length < width), width]
    if (dimensions === undefined || allowed.includes(dimensions)) return
    const problem = `vectors of this model have ${allowed.join(' or ')} dimensions`
    throw failure('unsupported', { field: 'dimensions', problem })
  }

  private cut(vector: Float32Array, dimensions = vector.length): Float32Array {
    if (dimensions === vector.length) return vector
    const start = vector.slice(0, dimensions)
    return this.parts.facts.normalize ? normalised(start) : start
  }
}

const placedTextInputs = ({ inputs, ...options }: EmbeddingRequest): PlacedInput[] =>
  inputs.flatMap((input, index) => (isTextInput(input) ? [{ input, field: `inputs[${index}]`, options }] : []))

const isTextInput = (input: EmbeddingInput): input is TextInput => 'tokens' in input || input.text !== undefined

const imagesUnsupported = {
  field: 'input',
  problem: 'this model reads no pictures: use one whose features have image',
}
