import { AlignedText } from './aligned-text.js'
import type { Place } from './place.js'
import type { TextReader } from './text-reader.js'
import { wellFormed } from './well-formed.js'
import { wholeCharacters } from './word-pieces.js'

/** A part of a text that has the same tokens alone as in the whole. */
export interface TextSlice {
  readonly from: number
  readonly to: number
  readonly place: Place
}

interface Cut {
  readonly at: number
  readonly withinWord: boolean
}

/** Characters on both sides of a cut that decide about it. */
const surroundings = 128
/** A cut is not made nearer to the ends of what is looked at. */
const margin = 16
/** Places that are looked at before a word of many thousand characters is cut in two. */
const attempts = 16

const middle: Place = { first: false, last: false, continues: false }
const digit = /\p{N}/u

/** Cuts texts between words. Lengths are in UTF-16 units, and approximate. */
export class TextSlices {
  constructor(private readonly reader: TextReader) {}

  *forward(text: string, length: number): Generator<TextSlice> {
    let before: Cut = { at: 0, withinWord: false }
    while (before.at < text.length) {
      const after = this.cut(text, before.at + length, 1)
      yield slice(text, before, after)
      before = after
    }
  }

  *backward(text: string, length: number): Generator<TextSlice> {
    let after: Cut = { at: text.length, withinWord: false }
    while (after.at > 0) {
      const before = this.cut(text, after.at - length, -1)
      yield slice(text, before, after)
      after = before
    }
  }

  /** A place between two words near the ideal one, or beyond it in the direction. */
  private cut(text: string, ideal: number, direction: 1 | -1): Cut {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const near = ideal + direction * attempt * 2 * surroundings
      if (direction > 0 && near >= text.length - surroundings) return { at: text.length, withinWord: false }
      if (direction < 0 && near <= surroundings) return { at: 0, withinWord: false }
      const at = this.betweenWords(text, near)
      if (at !== undefined) return { at, withinWord: false }
    }
    return { at: wholeCharacters(text, ideal), withinWord: true }
  }

  private betweenWords(text: string, near: number): number | undefined {
    const from = wholeCharacters(text, near - surroundings)
    const around = wellFormed(text.slice(from, wholeCharacters(text, near + surroundings)))
    const words = this.words(around)
    const start = words
      .map((word) => word.start)
      .filter((at) => at > margin && at < around.length - margin)
      .sort((a, b) => Math.abs(a + from - near) - Math.abs(b + from - near))
      .find((at) => this.parts(around, at, words))
    return start === undefined ? undefined : from + start
  }

  /** Whether the words on both sides are the same as in the whole. Digits are grouped from the first one on. */
  private parts(text: string, at: number, words: readonly { readonly name: string }[]): boolean {
    if (digit.test(text[at - 1] ?? '')) return false
    const parted = [...this.words(text.slice(0, at)), ...this.words(text.slice(at))]
    return parted.length === words.length && parted.every(({ name }, index) => name === words[index]?.name)
  }

  private words(text: string): { readonly name: string; readonly start: number }[] {
    return Array.from(this.reader.words(text, middle), (word) =>
      word instanceof AlignedText
        ? { name: word.text, start: word.span(0, 1)[0] }
        : { name: `token ${word.token}`, start: word.start },
    )
  }
}

const slice = (text: string, before: Cut, after: Cut): TextSlice => ({
  from: before.at,
  to: after.at,
  place: { first: before.at === 0, last: after.at === text.length, continues: before.withinWord },
})
