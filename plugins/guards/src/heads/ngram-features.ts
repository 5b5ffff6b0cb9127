import type { Word } from './words.js'

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})
/** A CRC-32 before its first byte, with one byte more, and of all bytes that there were. */
const crcOfNothing = 0xffffffff
const crcWith = (crc: number, byte: number): number => (crcTable[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8)
const crcOf = (crc: number): number => (crc ^ 0xffffffff) >>> 0

/** How many features there are of words and pairs of words, and of runs of characters. */
interface Sizes {
  readonly words: number
  readonly chars: number
}

/** What a word comes to wherever it stands. */
interface KnownWord {
  /** UTF-8, with a blank on each side. */
  readonly bytes: readonly number[]
  readonly single: number
  /** CRC-32 of the word and a blank: that of a pair goes on behind it. */
  readonly begun: number
  readonly characters: readonly number[]
}

const [minRun, maxRun] = [3, 5]
const blank = 0x20
const encoder = new TextEncoder()

/** Features of a text by the place of the word, each computed once: windows overlap, and words come again. */
export class Features {
  private readonly known = new Map<string, KnownWord>()
  private readonly pairs: number[] = []

  constructor(
    private readonly words: readonly Word[],
    private readonly sizes: Sizes,
  ) {}

  single(at: number): number {
    return this.word(at).single
  }

  /** A word and the one behind it. */
  pair(at: number): number {
    return (this.pairs[at] ??= this.ofWords(crcOfWord(this.word(at + 1).bytes, this.word(at).begun)))
  }

  /** Runs of characters of a word and the blanks around it. */
  characters(at: number): readonly number[] {
    return this.word(at).characters
  }

  private word(at: number): KnownWord {
    const word = this.words[at]?.word ?? ''
    let known = this.known.get(word)
    if (!known) {
      const bytes = bytesOf(` ${word} `)
      const crc = crcOfWord(bytes, crcOfNothing)
      const { words, chars } = this.sizes
      known = {
        bytes,
        single: this.ofWords(crc),
        begun: crcWith(crc, blank),
        characters: runsOf(bytes).map((run) => words + (crcOf(run) % chars)),
      }
      this.known.set(word, known)
    }
    return known
  }

  private ofWords(crc: number): number {
    return crcOf(crc) % this.sizes.words
  }
}

/** The text in UTF-8. The encoder is asked for what is no ASCII alone: that costs more than all the rest. */
const bytesOf = (text: string): number[] => {
  const bytes: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit > 127) return [...encoder.encode(text)]
    bytes.push(unit)
  }
  return bytes
}

/** @param bytes with a blank on each side, which is not read */
const crcOfWord = (bytes: readonly number[], before: number): number => {
  let crc = before
  for (let at = 1; at < bytes.length - 1; at += 1) crc = crcWith(crc, bytes[at] ?? 0)
  return crc
}

/** What the bytes of each run of characters come to. */
const runsOf = (bytes: readonly number[]): number[] => {
  const crcs: number[] = []
  for (let from = 0; from < bytes.length; from += 1) {
    if (!isFirst(bytes, from)) continue
    let crc = crcOfNothing
    for (let [at, length] = [from, 0]; at < bytes.length && length < maxRun; at += 1) {
      crc = crcWith(crc, bytes[at] ?? 0)
      if (isFirst(bytes, at + 1) && (length += 1) >= minRun) crcs.push(crc)
    }
  }
  return crcs
}

/** Whether a character of UTF-8 begins at a byte, or the text ends there. */
const isFirst = (bytes: readonly number[], at: number): boolean => ((bytes[at] ?? 0) & 0xc0) !== 0x80
