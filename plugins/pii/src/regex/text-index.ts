import type { Pacer } from '@sallyport/kit/async'
import { edge, unknown } from './literals.js'
import type { Clause } from './literals.js'

/** Characters of a run, and runs that are told apart, as bits: others are taken for one of these. */
const [runLength, bits] = [3, 16]
/** Digits of a number that are counted. */
const maxDigits = 24
/** UTF-16 units between two pauses. */
const slice = 16_384

/** What a text holds of what patterns need: digits that stand close together, and all of its runs of characters. */
export class TextIndex {
  private readonly written = new Runs()
  private readonly folded = new Runs()
  /** UTF-16 units of the shortest part of the text that has so many digits; the index is their number less one. */
  private readonly shortest: number[] = Array<number>(maxDigits).fill(Infinity)
  /** Where the last digits stood, the last one first. */
  private readonly digits: number[] = []

  /** Reads a short text without pauses. */
  static in(text: string): TextIndex {
    const index = new TextIndex()
    index.read(text, 0, text.length)
    return index
  }

  static async of(text: string, pacer: Pacer): Promise<TextIndex> {
    const index = new TextIndex()
    for (let from = 0; from < text.length; from += slice) {
      index.read(text, from, Math.min(text.length, from + slice))
      await pacer.pause()
    }
    return index
  }

  /** Whether so many digits stand in so many UTF-16 units. */
  hasDigits(count: number, within: number): boolean {
    return count === 0 || (this.shortest[Math.min(count, maxDigits) - 1] ?? 0) <= within
  }

  /** Whether all of the runs of one of the texts stand there: those of a text that does are there. */
  hasOneOf({ runs }: Texts, ignoreCase: boolean): boolean {
    const index = ignoreCase ? this.folded : this.written
    for (let at = 0; at < runs.length;) {
      const end = at + 1 + (runs[at] ?? 0)
      for (at += 1; at < end && index.has(runs[at] ?? 0);) at += 1
      if (at === end) return true
      at = end
    }
    return false
  }

  private read(text: string, from: number, to: number): void {
    const part = text.slice(Math.max(0, from - 1), to + runLength)
    this.written.add(part)
    this.folded.add(inSmallLetters(part))
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

/** As `iu` compares what is of ASCII: two other letters are some of it, too, of which one is so in small letters. */
const inSmallLetters = (text: string): string => text.toLowerCase().replaceAll('ſ', 's')

/** Runs of one, two and three characters of texts. */
class Runs {
  private readonly set = new Uint32Array(2 ** (bits - 5))
  /** The runs that end with the last character; 0 where there is none. */
  private one = 0
  private two = 0

  add(text: string): void {
    ;[this.one, this.two] = [0, 0]
    let inWord = false
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      if (isLetter(unit) !== inWord) {
        inWord = !inWord
        this.goOn(edgeUnit)
      }
      this.goOn(unit)
    }
    if (inWord) this.goOn(edgeUnit)
  }

  has(run: number): boolean {
    return (((this.set[run >>> 5] ?? 0) >>> (run & 31)) & 1) === 1
  }

  private goOn(unit: number): void {
    if (this.two !== 0) this.mark(runWith(this.two, unit))
    this.two = this.one === 0 ? 0 : this.mark(runWith(this.one, unit))
    this.one = this.mark(runWith(0, unit))
  }

  private mark(run: number): number {
    this.set[run >>> 5] = (this.set[run >>> 5] ?? 0) | (1 << (run & 31))
    return run
  }
}

const edgeUnit = edge.charCodeAt(0)

const isLetter = (unit: number): boolean => (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)

/** The hash of a run with one unit more, never 0. By the golden ratio: Knuth, The Art of Computer Programming, volume 3, section 6.4. */
const runWith = (run: number, unit: number): number =>
  Math.imul(Math.imul(run, 0x85ebca6b) ^ (unit + 1), 0x9e3779b1) >>> (32 - bits) || 1

/** The texts of a clause as runs. */
export interface Texts {
  /** The number of runs of a text and then its runs, text by text, in one array because that is read fastest. */
  readonly runs: Uint32Array
}

export const textsOf = (clause: Clause): Texts => ({
  runs: Uint32Array.from(
    clause.flatMap((text) => {
      const runs = runsOf(text)
      return [runs.length, ...runs]
    }),
  ),
})

/** The longest runs of each part of a text that is known, with the edges of its words. */
const runsOf = (text: string): number[] => {
  const runs: number[] = []
  for (const part of withEdges(text).split(unknown))
    for (let [at, length] = [0, Math.min(runLength, part.length)]; length > 0 && at + length <= part.length; at += 1) {
      let run = 0
      for (let next = at; next < at + length; next += 1) run = runWith(run, part.charCodeAt(next))
      runs.push(run)
    }
  return runs
}

/** Edges stand beside letters alone, and between letters and what is known to be none. */
const withEdges = (text: string): string =>
  text
    .replace(/(?<![A-Za-z])\ue001+(?![A-Za-z])/g, '')
    .replace(/\ue001+/g, edge)
    .replace(/(?<=[A-Za-z])(?=[^A-Za-z\ue000\ue001])|(?<=[^A-Za-z\ue000\ue001])(?=[A-Za-z])/g, edge)
