import type { Pacer } from '@sallyport/kit/async'
import { wordEdge, unknownCharacter } from './literals.js'
import type { Clause } from './literals.js'

/** The maximum length of an n-gram, and the number of bits of its hash. */
const [maxNGram, bits] = [3, 16]
/** The maximum number of digits that are counted. */
const maxDigits = 24
/** How many UTF-16 code units are processed between two pauses. */
const pauseInterval = 16_384

/** An index of a text for the requirements of patterns: digits that are close together, and all character n-grams. */
export class TextIndex {
  private readonly asWritten = new NGramSet()
  private readonly folded = new NGramSet()
  /** By the number of digits minus one: the length in UTF-16 code units of the shortest part with as many. */
  private readonly shortest: number[] = Array<number>(maxDigits).fill(Infinity)
  /** The offsets of the last digits, the latest first. */
  private readonly digits: number[] = []

  /** Reads a short text without pauses. */
  static of(text: string): TextIndex {
    const index = new TextIndex()
    index.addPart(text, 0, text.length)
    return index
  }

  static async inTurns(text: string, pacer: Pacer): Promise<TextIndex> {
    const index = new TextIndex()
    for (let from = 0; from < text.length; from += pauseInterval) {
      index.addPart(text, from, Math.min(text.length, from + pauseInterval))
      await pacer.pause()
    }
    return index
  }

  /** Whether some part of at most `within` UTF-16 code units has at least `count` digits. */
  hasDigits(count: number, within: number): boolean {
    return count === 0 || (this.shortest[Math.min(count, maxDigits) - 1] ?? 0) <= within
  }

  /** Whether all n-grams of a string of the clause occur, as they do where the string itself occurs. */
  hasOneOf({ nGrams }: HashedClause, ignoreCase: boolean): boolean {
    const index = ignoreCase ? this.folded : this.asWritten
    for (let at = 0; at < nGrams.length;) {
      const end = at + 1 + (nGrams[at] ?? 0)
      for (at += 1; at < end && index.has(nGrams[at] ?? 0);) at += 1
      if (at === end) return true
      at = end
    }
    return false
  }

  private addPart(text: string, from: number, to: number): void {
    const part = text.slice(Math.max(0, from - 1), to + maxNGram)
    this.asWritten.add(part)
    this.folded.add(inLowerCase(part))
    for (let at = from; at < to; at += 1) if (isDigit(text.charCodeAt(at))) this.addDigit(at)
  }

  private addDigit(at: number): void {
    const { digits, shortest } = this
    digits.unshift(at)
    if (digits.length > maxDigits) digits.pop()
    for (let index = 0; index < digits.length; index += 1) {
      const length = at + 1 - (digits[index] ?? 0)
      if (length < (shortest[index] ?? 0)) shortest[index] = length
    }
  }
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39

/**
 * Folds case as the flags `iu` do for ASCII: `ſ` and the Kelvin sign are ASCII letters there, and lower case folds only
 * the latter.
 */
const inLowerCase = (text: string): string => text.toLowerCase().replaceAll('ſ', 's')

/** A set of hashed n-grams of one to three characters. */
class NGramSet {
  private readonly set = new Uint32Array(2 ** (bits - 5))
  /** The hashes of the n-grams that end with the last character; 0 where there is none. */
  private unigram = 0
  private bigram = 0

  add(text: string): void {
    ;[this.unigram, this.bigram] = [0, 0]
    let inWord = false
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      if (isLetter(unit) !== inWord) {
        inWord = !inWord
        this.append(edgeUnit)
      }
      this.append(unit)
    }
    if (inWord) this.append(edgeUnit)
  }

  has(hash: number): boolean {
    return (((this.set[hash >>> 5] ?? 0) >>> (hash & 31)) & 1) === 1
  }

  private append(unit: number): void {
    if (this.bigram !== 0) this.mark(hashWith(this.bigram, unit))
    this.bigram = this.unigram === 0 ? 0 : this.mark(hashWith(this.unigram, unit))
    this.unigram = this.mark(hashWith(0, unit))
  }

  private mark(hash: number): number {
    this.set[hash >>> 5] = (this.set[hash >>> 5] ?? 0) | (1 << (hash & 31))
    return hash
  }
}

const edgeUnit = wordEdge.charCodeAt(0)

const isLetter = (unit: number): boolean => (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)

/**
 * The hash of an n-gram with one more unit, never 0. Multiplies by the golden ratio: Knuth, The Art of Computer
 * Programming, volume 3, section 6.4.
 */
const hashWith = (hash: number, unit: number): number =>
  Math.imul(Math.imul(hash, 0x85ebca6b) ^ (unit + 1), 0x9e3779b1) >>> (32 - bits) || 1

/** A clause as hashed n-grams. */
export interface HashedClause {
  /** For each string, the number of its n-grams and then these, in one array as that is read fastest. */
  readonly nGrams: Uint32Array
}

export const hashedClause = (clause: Clause): HashedClause => ({
  nGrams: Uint32Array.from(clause.map(hashesOf).flatMap((hashes) => [hashes.length, ...hashes])),
})

/** The hashed n-grams of maximum length of each known part of a string, with the edges of its words. */
const hashesOf = (text: string): number[] => {
  const hashes: number[] = []
  for (const part of withEdges(text).split(unknownCharacter)) {
    const length = Math.min(maxNGram, part.length)
    for (let at = 0; length > 0 && at + length <= part.length; at += 1) {
      let hash = 0
      for (let next = at; next < at + length; next += 1) hash = hashWith(hash, part.charCodeAt(next))
      hashes.push(hash)
    }
  }
  return hashes
}

/** Keeps edges beside letters only, and adds those between letters and other known characters. */
const withEdges = (text: string): string =>
  text
    .replace(/(?<![A-Za-z])\ue001+(?![A-Za-z])/g, '')
    .replace(/\ue001+/g, wordEdge)
    .replace(/(?<=[A-Za-z])(?=[^A-Za-z\ue000\ue001])|(?<=[^A-Za-z\ue000\ue001])(?=[A-Za-z])/g, wordEdge)
