import { append } from '@sallyport/kit/lists'
import { library } from './library.js'
import type { Model } from './library.js'
import { unshared } from './unshared.js'

/** A token of a word, and the UTF-16 units of the word that it stands for. */
export interface WordPart {
  readonly id: number
  readonly from: number
  readonly to: number
}

/** Words that are remembered; longer ones hardly come again. */
const remembered = 16_384
const longestRemembered = 48
/**
 * Characters of a word that are looked at together. The search for the likeliest tokens of a longer one takes hundreds
 * of megabytes.
 */
const longestWord = 16_384

const byteToken = /^<0x([0-9A-Fa-f]{2})>$/

/** The third step of tokenization: a word becomes tokens. */
export class WordPieces {
  private readonly known = new Map<string, readonly WordPart[]>()

  constructor(private readonly model: Model) {}

  split(word: string): readonly WordPart[] {
    const known = this.known.get(word)
    if (known) return known
    if (word.length > longestWord) return this.splitLong(word)
    // the model remembers words, too
    const own = unshared(word)
    const parts = this.find(own)
    if (own.length <= longestRemembered) {
      if (this.known.size >= remembered) this.known.clear()
      this.known.set(own, parts)
    }
    return parts
  }

  private splitLong(word: string): WordPart[] {
    // a single token, however long, is no work
    if (this.model instanceof library.WordPiece) return this.find(word)
    const parts: WordPart[] = []
    for (let from = 0; from < word.length;) {
      const to = wholeCharacters(word, from + longestWord)
      for (const part of this.find(unshared(word.slice(from, to))))
        parts.push({ id: part.id, from: from + part.from, to: from + part.to })
      from = to
    }
    return parts
  }

  private find(word: string): WordPart[] {
    const tokens = this.model.encode([word])
    if (this.model instanceof library.WordPiece) return this.wordPieces(word, tokens)
    if (this.model instanceof library.Unigram) return this.unigrams(tokens)
    if (this.model instanceof library.BPE) return this.bytePairs(word, tokens, this.model)
    return [{ id: this.idOf(word), from: 0, to: word.length }]
  }

  private idOf(token: string): number {
    return this.model.tokens_to_ids.get(token) ?? this.unknownId
  }

  private get unknownId(): number {
    return this.model.unk_token_id ?? 0
  }

  /** A word is unknown as a whole. */
  private wordPieces(word: string, tokens: readonly string[]): WordPart[] {
    if (tokens.length === 1) return [{ id: this.idOf(tokens[0] ?? ''), from: 0, to: word.length }]
    const { continuing_subword_prefix: prefix = '' } = this.model.config
    let from = 0
    return tokens.map((token, index) => {
      const to = from + token.length - (index > 0 ? prefix.length : 0)
      const part = { id: this.idOf(token), from, to }
      from = to
      return part
    })
  }

  /** Unknown characters come as they are; a row of them is one token, or their bytes are. */
  private unigrams(tokens: readonly string[]): WordPart[] {
    const parts: WordPart[] = []
    let from = 0
    for (const token of tokens) {
      const to = from + token.length
      const id = this.model.tokens_to_ids.get(token)
      const bytes = id === undefined ? this.byteIds(token) : undefined
      if (bytes)
        append(
          parts,
          bytes.map((byte) => ({ id: byte, from, to })),
        )
      else pushFused(parts, { id: id ?? this.unknownId, from, to }, this.unknownId)
      from = to
    }
    return parts
  }

  private byteIds(character: string): number[] | undefined {
    if (!this.model.config.byte_fallback) return undefined
    const ids = Array.from(Buffer.from(character), (byte) => this.model.tokens_to_ids.get(tokenOfByte(byte)))
    return ids.every((id) => id !== undefined) ? ids : undefined
  }

  /** Tokens stand in the word as they are, except for bytes of unknown characters and the unknown token. */
  private bytePairs(word: string, tokens: readonly string[], { end_of_word_suffix: suffix, fuse_unk }: Model) {
    const parts: WordPart[] = []
    let at = 0
    let bytesLeft = 0
    for (const token of tokens) {
      const id = this.idOf(token)
      const text = suffix && token.endsWith(suffix) ? token.slice(0, -suffix.length) : token
      const from = bytesLeft > 0 || id === this.model.unk_token_id ? -1 : word.indexOf(text, at)
      // what is neither unknown nor has bytes in the vocabulary was dropped
      if (from >= 0 && (from === at || !byteToken.test(token))) {
        at = from + text.length
        parts.push({ id, from, to: at })
        continue
      }
      const to = Math.min(word.length, at + lengthAt(word, at))
      const part = { id, from: at, to }
      if (byteToken.test(token)) {
        bytesLeft = (bytesLeft || Buffer.byteLength(word.slice(at, to))) - 1
        parts.push(part)
      } else if (fuse_unk) pushFused(parts, part, this.unknownId)
      else parts.push(part)
      if (bytesLeft === 0) at = to
    }
    return parts
  }
}

const lengthAt = (text: string, at: number) => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

const tokenOfByte = (byte: number) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`

const pushFused = (parts: WordPart[], part: WordPart, unknown: number): void => {
  const before = parts.at(-1)
  if (part.id === unknown && before?.id === unknown) parts[parts.length - 1] = { ...before, to: part.to }
  else parts.push(part)
}

/** The place, or the one before it that does not part a surrogate pair. */
export const wholeCharacters = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff && at > 0 ? at - 1 : at
}
