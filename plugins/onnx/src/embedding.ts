import { failure, renamedField, tooLongAt } from '@sallyport/core'
import type { Call, EmbeddingCapability, EmbeddingInput, EmbeddingRequest, EmbeddingResult } from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'
import type { Evaluate } from './encoder/text-model.js'
import { meanOfBoth } from './images/index.js'
import type { NamedImage, ImageTower } from './images/index.js'
import type { Encoding } from './text/frame.js'
import type { TextTokenizer } from './text/tokenizer.js'

/** What is known of a model's vectors. */
export interface VectorFacts {
  readonly normalize: boolean
  readonly prefixes: { readonly query?: string; readonly document?: string }
  /** Lengths to which vectors may be cut; their own length is always allowed. */
  readonly dimensions: readonly number[]
  /** Their own length. */
  readonly width: number
}

export interface EmbeddingParts {
  readonly tokenizer: TextTokenizer
  readonly evaluate: Evaluate
  readonly facts: VectorFacts
  /** Of models that see. */
  readonly images?: Pick<ImageTower, 'embed'> | undefined
}

type Written = Exclude<EmbeddingInput, { image: Uint8Array }> | { text: string }

type Purpose = Pick<EmbeddingRequest, 'inputType' | 'truncate'>

/** A text, and what its vector is for. */
export interface PurposeText {
  readonly text: string
  readonly inputType: NonNullable<EmbeddingRequest['inputType']>
}

/** Embeds texts that are for different purposes. */
export interface PurposeEmbedding {
  /** Texts that are too long are cut at the end. All wait as one call: they are refused together, or not at all. */
  embedFor(texts: readonly PurposeText[], call: Call): Promise<EmbeddingResult>
}

/** An input, its place in the request, and how it is read. */
interface Reading {
  readonly input: Written
  readonly field: string
  readonly purpose: Purpose
}

/** Texts, token ids and, where the model sees, images become vectors. */
export class OnnxEmbedding implements EmbeddingCapability, PurposeEmbedding {
  constructor(private readonly parts: EmbeddingParts) {}

  async embed(request: EmbeddingRequest, call: Call): Promise<EmbeddingResult> {
    const { inputs, dimensions } = request
    this.checkDimensions(dimensions)
    const images = await this.embedImages(inputs, call)
    const { vectors, promptTokens } = await this.embedTexts(writtenInputs(request), call)
    const texts = vectors.values()
    const all = inputs.map((input, index) => {
      const text = isWritten(input) ? texts.next().value : undefined
      const image = images.get(index)
      return this.cut(text && image ? meanOfBoth(text, image) : (text ?? image ?? new Float32Array()), dimensions)
    })
    return { vectors: all, promptTokens }
  }

  embedFor(texts: readonly PurposeText[], call: Call): Promise<EmbeddingResult> {
    const readings = texts.map(({ text, inputType }, index) => ({
      input: { text },
      field: `inputs[${index}]`,
      purpose: { inputType, truncate: 'right' as const },
    }))
    return this.embedTexts(readings, call)
  }

  private async embedTexts(readings: readonly Reading[], call: Call): Promise<EmbeddingResult> {
    let promptTokens = 0
    const encode = async (reading: Reading) => {
      const encoding = await this.encode(reading, call)
      promptTokens += encoding.ids.length
      return encoding
    }
    return { vectors: await this.parts.evaluate(readings, encode, call), promptTokens }
  }

  private async encode({ input, field, purpose: { inputType, truncate } }: Reading, call: Call): Promise<Encoding> {
    const { tokenizer, facts } = this.parts
    const options = truncate ? { truncate } : {}
    const encoding = await (
      'tokens' in input
        ? tokenizer.encodeIds(input.tokens, options, call)
        : tokenizer.encode(((inputType && facts.prefixes[inputType]) ?? '') + input.text, options, call)
    ).catch((error: unknown) => {
      throw tooLongAt(
        field,
        renamedField(error, (part) => `${field}.${part}`),
      )
    })
    if (encoding.ids.length > 0) return encoding
    throw failure('invalid_request', { field, problem: 'must not be empty' })
  }

  /** By their position in the request. */
  private async embedImages(inputs: readonly EmbeddingInput[], call: Call): Promise<Map<number, Float32Array>> {
    const seen = new Map<number, NamedImage>()
    for (const [index, input] of inputs.entries())
      if ('image' in input) seen.set(index, { image: input.image, field: `inputs[${index}].image` })
    if (seen.size === 0) return new Map()
    if (!this.parts.images) throw failure('unsupported', noImages)
    const vectors = await this.parts.images.embed([...seen.values()], call)
    const { normalize } = this.parts.facts
    const known = vectors.map((vector) => (normalize ? normalised(vector) : vector)).values()
    return new Map([...seen.keys()].map((index) => [index, known.next().value ?? new Float32Array()]))
  }

  private checkDimensions(dimensions: number | undefined): void {
    const { width, dimensions: shorter } = this.parts.facts
    const allowed = [...shorter.filter((length) => length < width), width]
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

const writtenInputs = ({ inputs, ...purpose }: EmbeddingRequest): Reading[] =>
  inputs.flatMap((input, index) => (isWritten(input) ? [{ input, field: `inputs[${index}]`, purpose }] : []))

const isWritten = (input: EmbeddingInput): input is Written => 'tokens' in input || input.text !== undefined

const noImages = {
  field: 'input',
  problem: 'this model reads no pictures: use one whose features have image',
}
