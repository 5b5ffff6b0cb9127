import { failure, renamedField, tooLongAt } from '@sallyport/core'
import type { Call, EmbeddingCapability, EmbeddingInput, EmbeddingRequest, EmbeddingResult } from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'
import type { Steps } from '@sallyport/kit/async'
import { inSteps } from './batching/items.js'
import type { Evaluate } from './evaluate.js'
import { meanOfBoth } from './images/index.js'
import type { NamedPicture, PictureTower } from './images/index.js'
import type { Encoding, TextTokenizer } from './text/text-tokenizer.js'

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
  readonly pictures?: Pick<PictureTower, 'embed'> | undefined
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

/** Texts, token ids and, where the model sees, pictures become vectors. */
export class OnnxEmbedding implements EmbeddingCapability, PurposeEmbedding {
  constructor(private readonly parts: EmbeddingParts) {}

  async embed(request: EmbeddingRequest, call: Call): Promise<EmbeddingResult> {
    const { inputs, dimensions } = request
    this.checkDimensions(dimensions)
    const pictures = await this.embedPictures(inputs, call)
    const { vectors, promptTokens } = await this.embedTexts(writtenInputs(request), call)
    const texts = vectors.values()
    const all = inputs.map((input, index) => {
      const text = isWritten(input) ? texts.next().value : undefined
      const picture = pictures.get(index)
      return this.cut(text && picture ? meanOfBoth(text, picture) : (text ?? picture ?? new Float32Array()), dimensions)
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
    const { parts } = this
    const encodings = inSteps(readings, function* (reading) {
      const encoding = yield* encodingOf(reading, parts)
      promptTokens += encoding.ids.length
      return encoding
    })
    const vectors = await this.parts.evaluate(encodings, call)
    return { vectors, promptTokens }
  }

  /** By their position in the request. */
  private async embedPictures(inputs: readonly EmbeddingInput[], call: Call): Promise<Map<number, Float32Array>> {
    const seen = new Map<number, NamedPicture>()
    for (const [index, input] of inputs.entries())
      if ('image' in input) seen.set(index, { image: input.image, field: `inputs[${index}].image` })
    if (seen.size === 0) return new Map()
    if (!this.parts.pictures) throw failure('unsupported', noPictures)
    const vectors = await this.parts.pictures.embed([...seen.values()], call)
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

function* encodingOf({ input, field, purpose }: Reading, parts: EmbeddingParts): Steps<Encoding> {
  let encoding: Encoding
  try {
    encoding = yield* tokensOf(input, purpose, parts)
  } catch (error) {
    throw tooLongAt(
      field,
      renamedField(error, (part) => `${field}.${part}`),
    )
  }
  if (encoding.ids.length > 0) return encoding
  throw failure('invalid_request', { field, problem: 'must not be empty' })
}

function* tokensOf(
  input: Written,
  { inputType, truncate }: Purpose,
  { tokenizer, facts }: EmbeddingParts,
): Steps<Encoding> {
  const options = truncate ? { truncate } : {}
  if ('tokens' in input) return tokenizer.encodeIds(input.tokens, options)
  return yield* tokenizer.encodeInSteps(((inputType && facts.prefixes[inputType]) ?? '') + input.text, options)
}

const writtenInputs = ({ inputs, ...purpose }: EmbeddingRequest): Reading[] =>
  inputs.flatMap((input, index) => (isWritten(input) ? [{ input, field: `inputs[${index}]`, purpose }] : []))

const isWritten = (input: EmbeddingInput): input is Written => 'tokens' in input || input.text !== undefined

const noPictures = {
  field: 'input',
  problem: 'this model reads no pictures: use one whose features have image',
}
