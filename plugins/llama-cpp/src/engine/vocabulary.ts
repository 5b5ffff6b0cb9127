import { byteOfCharacter } from '@sallyport/kit/generation'
import type { ModelFacts } from '../gguf/model-facts.js'
import type { AddonModel } from './addon.js'

/** Bits of `llama_token_attr`. */
const attributes = { unknown: 1, control: 8, userDefined: 16, byte: 32, stripsLeft: 128, stripsRight: 256 } as const

/** Values of `llama_vocab_type`. */
const kinds = { sentencePiece: 1, bytePair: 2, wordPiece: 3, unigram: 4 } as const

const encoder = new TextEncoder()
const nothing = new Uint8Array(0)
const replacement = encoder.encode('\uFFFD')

/** A token that is not text, such as the one that begins a turn. */
export interface Control {
  readonly text: string
  readonly id: number
  /** White space before or after it belongs to it. */
  readonly stripsLeft: boolean
  readonly stripsRight: boolean
}

/** The model's vocabulary: texts, bytes and token ids. */
export class Vocabulary {
  /** The tokens that only a chat template may write. */
  readonly controls: readonly Control[]
  private readonly kind: number
  private readonly bytesByToken = new Map<number, Uint8Array>()
  private maxLength: number | undefined
  private unknownTokens: readonly number[] | undefined

  /** @param size number of tokens; the addon throws C++ exceptions for ids outside */
  constructor(
    private readonly model: AddonModel,
    readonly size: number,
    private readonly facts: Pick<ModelFacts, 'spacePrefix' | 'separatesWords'>,
  ) {
    this.kind = model.getVocabularyType()
    this.controls = this.findControls()
  }

  /** Whether no token reaches from one word into the next, so that a text may be tokenized word by word. */
  get separatesWords(): boolean {
    return this.kind === kinds.bytePair && this.facts.separatesWords
  }

  /** The maximum number of UTF-16 code units in a token; Infinity where an unknown word of any length is one token. */
  get maxTokenLength(): number {
    return (this.maxLength ??= this.findLongest())
  }

  /** Token ids of a text that is data: no text of a control token becomes that token. */
  tokenize(text: string): Uint32Array {
    return this.model.tokenize(text, false)
  }

  /** Adds the tokens that the model expects at the beginning of a prompt. */
  withStart(tokens: Uint32Array): Uint32Array {
    const bos = this.model.tokenBos()
    if (!this.model.shouldPrependBosToken() || bos < 0 || tokens[0] === bos) return tokens
    return joinTokens([bos], tokens)
  }

  /** Tokens that surround the text of an embedding. */
  get frame(): { readonly start: readonly number[]; readonly end: readonly number[] } {
    const isWordPiece = this.kind === kinds.wordPiece
    const start = isWordPiece || this.model.shouldPrependBosToken() ? this.model.tokenBos() : -1
    const end = isWordPiece ? this.model.sepToken() : this.model.shouldAppendEosToken() ? this.model.tokenEos() : -1
    return { start: start < 0 ? [] : [start], end: end < 0 ? [] : [end] }
  }

  /** Tokens around the texts before and after a gap; undefined where the model cannot fill it. */
  get infill(): { readonly prefix: number; readonly suffix: number; readonly middle: number } | undefined {
    const [prefix, suffix, middle] = [this.model.prefixToken(), this.model.suffixToken(), this.model.middleToken()]
    return Math.min(prefix, suffix, middle) < 0 ? undefined : { prefix, suffix, middle }
  }

  /** The tokens that replace an id outside the vocabulary. */
  get unknown(): readonly number[] {
    return (this.unknownTokens ??= this.findUnknown())
  }

  has(token: number): boolean {
    return Number.isInteger(token) && token >= 0 && token < this.size
  }

  endsGeneration(token: number): boolean {
    return this.model.isEogToken(token)
  }

  /** The text of a special token, as a chat template writes it; empty where the model has none. */
  special(name: 'bos' | 'eos'): string {
    const token = name === 'bos' ? this.model.tokenBos() : this.model.tokenEos()
    return token < 0 ? '' : this.model.getTokenString(token)
  }

  /** The bytes that a token adds to the text: possibly a part of a character, nothing for control tokens. */
  bytes(token: number): Uint8Array {
    const known = this.bytesByToken.get(token)
    if (known) return known
    const bytes = this.has(token) ? this.decode(token) : replacement
    this.bytesByToken.set(token, bytes)
    return bytes
  }

  /** The text of a control token, as a chat template writes it. */
  controlBytes(token: number): Uint8Array {
    return encoder.encode(this.model.getTokenString(token))
  }

  /** The bytes that a grammar sees: of control tokens, their texts. */
  writtenBytes(token: number): Uint8Array {
    const bytes = this.decode(token)
    return bytes.length > 0 ? bytes : this.controlBytes(token)
  }

  /** Bytes of each token of a whole text: without the space that the tokenizer put before it. */
  textBytes(tokens: readonly number[]): Uint8Array[] {
    const bytesByToken = tokens.map((token) => this.bytes(token))
    const first = bytesByToken[0]
    const prefixed = this.kind !== kinds.bytePair
    if (first && prefixed && this.facts.spacePrefix && first[0] === 0x20) bytesByToken[0] = first.subarray(1)
    return bytesByToken
  }

  private decode(token: number): Uint8Array {
    const attribute = this.model.getTokenAttributes(token)
    if (attribute & (attributes.control | attributes.unknown)) return nothing
    const text = this.model.getTokenString(token)
    if (attribute & attributes.userDefined) return encoder.encode(text)
    if (attribute & attributes.byte) return Uint8Array.of(Number.parseInt(text.slice(3, 5), 16))
    if (this.kind === kinds.bytePair) return decodeBytePair(text)
    const isKnown = Object.values<number>(kinds).includes(this.kind)
    return encoder.encode(
      isKnown ? text.replaceAll('\u2581', ' ') : this.model.detokenize(Uint32Array.of(token), false),
    )
  }

  private findLongest(): number {
    if (this.kind !== kinds.bytePair && this.kind !== kinds.sentencePiece) return Infinity
    let maxLength = 1
    for (let id = 0; id < this.size; id += 1) maxLength = Math.max(maxLength, this.model.getTokenString(id).length)
    return maxLength
  }

  /** Some files mark the unknown token by its name only; byte-pair vocabularies have none. */
  private findUnknown(): readonly number[] {
    const marked = this.controls.find(({ id }) => this.model.getTokenAttributes(id) & attributes.unknown)
    const found = marked ?? this.controls.find(({ text }) => /^[[<|]+unk[\]>|]+$/i.test(text))
    return found ? [found.id] : [...this.tokenize('\uFFFD')]
  }

  private findControls(): Control[] {
    const controls: Control[] = []
    for (let id = 0; id < this.size; id += 1) {
      const attribute = this.model.getTokenAttributes(id)
      if (!(attribute & (attributes.control | attributes.unknown))) continue
      const stripsLeft = (attribute & attributes.stripsLeft) !== 0
      const stripsRight = (attribute & attributes.stripsRight) !== 0
      controls.push({ id, text: this.model.getTokenString(id), stripsLeft, stripsRight })
    }
    return controls
  }
}

/** Joins arrays into one. Prompts are too long to be spread into arguments. */
export const joinTokens = (...parts: readonly ArrayLike<number>[]): Uint32Array => {
  const joined = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

/** Byte-pair vocabularies write every byte as a printable character. */
const decodeBytePair = (text: string): Uint8Array => {
  const bytes: number[] = []
  for (const character of text) {
    const byte = byteOfCharacter.get(character)
    if (byte === undefined) return encoder.encode(text)
    bytes.push(byte)
  }
  return Uint8Array.from(bytes)
}
