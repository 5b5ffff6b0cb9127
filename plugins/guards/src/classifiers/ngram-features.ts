import type { Word } from './words.js'

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})
/** A CRC-32, byte by byte: its initial state, the state after one more byte, and the CRC of a state. */
const initialState = 0xffffffff
const nextState = (state: number, byte: number): number => (crcTable[(state ^ byte) & 255] ?? 0) ^ (state >>> 8)
const crcOf = (state: number): number => (state ^ 0xffffffff) >>> 0

/** The number of features for word unigrams and bigrams, and for character n-grams. */
interface Sizes {
  readonly words: number
  readonly chars: number
}

/** The features of a word, which do not depend on its position. */
interface WordFeatures {
  /** The word in UTF-8, with a space on each side. */
  readonly bytes: readonly number[]
  readonly unigram: number
  /** The CRC-32 state after the word and a space, from which that of a bigram continues. */
  readonly stateAfterSpace: number
  readonly characters: readonly number[]
}

const [minCharNgram, maxCharNgram] = [3, 5]
const space = 0x20
const encoder = new TextEncoder()

/** The features at each word of a text. Each is computed once, as windows overlap and words recur. */
export class Features {
  private readonly cache = new Map<string, WordFeatures>()
  private readonly bigrams: number[] = []

  constructor(
    private readonly words: readonly Word[],
    private readonly sizes: Sizes,
  ) {}

  unigram(at: number): number {
    return this.word(at).unigram
  }

  /** The feature of a word and the next one. */
  bigram(at: number): number {
    return (this.bigrams[at] ??= this.wordFeature(stateAfter(this.word(at + 1).bytes, this.word(at).stateAfterSpace)))
  }

  /** The features of the character n-grams of a word and the spaces around it. */
  characters(at: number): readonly number[] {
    return this.word(at).characters
  }

  private word(at: number): WordFeatures {
    const word = this.words[at]?.word ?? ''
    let known = this.cache.get(word)
    if (!known) {
      const bytes = bytesOf(` ${word} `)
      const state = stateAfter(bytes, initialState)
      const { words, chars } = this.sizes
      known = {
        bytes,
        unigram: this.wordFeature(state),
        stateAfterSpace: nextState(state, space),
        characters: charNgramStates(bytes).map((ngramState) => words + (crcOf(ngramState) % chars)),
      }
      this.cache.set(word, known)
    }
    return known
  }

  private wordFeature(state: number): number {
    return crcOf(state) % this.sizes.words
  }
}

/** The text in UTF-8. Only non-ASCII texts go through the encoder, whose calls are slow. */
const bytesOf = (text: string): number[] => {
  const bytes: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit > 127) return [...encoder.encode(text)]
    bytes.push(unit)
  }
  return bytes
}

/** The CRC-32 state after a word. @param bytes the word between two spaces, which are skipped */
const stateAfter = (bytes: readonly number[], before: number): number => {
  let state = before
  for (let at = 1; at < bytes.length - 1; at += 1) state = nextState(state, bytes[at] ?? 0)
  return state
}

const charNgramStates = (bytes: readonly number[]): number[] => {
  const states: number[] = []
  for (let from = 0; from < bytes.length; from += 1) {
    if (!isFirst(bytes, from)) continue
    let state = initialState
    for (let [at, length] = [from, 0]; at < bytes.length && length < maxCharNgram; at += 1) {
      state = nextState(state, bytes[at] ?? 0)
      if (isFirst(bytes, at + 1) && (length += 1) >= minCharNgram) states.push(state)
    }
  }
  return states
}

/** Whether a character of UTF-8 begins at a byte, or the text ends there. */
const isFirst = (bytes: readonly number[], at: number): boolean => ((bytes[at] ?? 0) & 0xc0) !== 0x80
