import { runPaced, runSteps } from '../../async/pacer.js'
import type { Pacer, Steps } from '../../async/pacer.js'
import { once } from '../shared.js'
import { originalReading } from '../view.js'
import type { View } from '../view.js'
import { isDigit, isInWord, isLatin, isOrnament, isPlain, maxPlainLength, plain } from './characters.js'
import { isPartOfSyllable, withPart } from './hangul.js'
import { latinLookAlike } from './look-alikes.js'
import { indicatorsAt, isIndicator } from './symbols.js'

/** UTF-16 code units between two pauses. */
const slice = 16_384
/** UTF-16 code units of the longest word whose look-alikes are replaced. */
const maxWordLength = 64

/** What may have another plain form. */
const notPlainAscii = /[^\t-\r\x20-\x7e]/

/**
 * A text as patterns read it: no invisible characters and no marks on Latin letters and digits, one kind of digits,
 * spaces and dashes, Latin letters where look-alikes of other scripts are beside them. Detectors that read the text at
 * the same time share the view.
 * @param last how the last word is read where the text may go on: `folded` with Latin letters for those that look like
 * them, `kept` without, unless it has a Latin letter already. Absent: the text is whole, and the word is like any other
 */
export const plainReading = (text: string, pacer: Pacer, last?: 'folded' | 'kept'): Promise<View> => {
  const make = () => runPaced(stepsOf(text, last), pacer)
  return last ? make() : once(text, 'plain', pacer.call, make)
}

/** The plain reading of a text that is too short for others to wait for. */
export const plainText = (text: string): string => runSteps(stepsOf(text)).text

/** Yields where others may have their turn. */
function* stepsOf(text: string, last?: 'folded' | 'kept'): Steps<View> {
  if (!notPlainAscii.test(text)) return originalReading(text)
  const units = new Units(text.length * maxPlainLength)
  for (let from = 0; from < text.length;) {
    from = units.add(text, from, Math.min(text.length, from + slice))
    yield
  }
  return yield* units.finish(last)
}

/** UTF-16 code units of the plain text, with their positions in the source. */
class Units {
  private readonly units: Uint16Array
  private readonly starts: Uint32Array
  private readonly ends: Uint32Array
  private length = 0

  constructor(maxLength: number) {
    this.units = new Uint16Array(maxLength)
    this.starts = new Uint32Array(maxLength)
    this.ends = new Uint32Array(maxLength)
  }

  /** @returns where it stopped: characters of two units stay whole */
  add(text: string, from: number, to: number): number {
    let index = from
    while (index < to) {
      const codePoint = text.codePointAt(index) ?? 0
      const end = index + (codePoint > 0xffff ? 2 : 1)
      if (isPlain(codePoint)) this.push(codePoint, index, end)
      else if (isIndicator(codePoint)) {
        index = this.addIndicators(text, index)
        continue
      } else if (isOrnament(codePoint, this.units[this.length - 1] ?? 0)) this.extend(end)
      else if (isPartOfSyllable(codePoint)) this.addToSyllable(codePoint, index, end)
      else this.pushAll(plain(codePoint), index, end)
      index = end
    }
    return index
  }

  private addIndicators(text: string, from: number): number {
    let index = from
    for (const one of indicatorsAt(text, from)) {
      this.pushAll(one, index, index + 2)
      index += 2
    }
    return index
  }

  private addToSyllable(codePoint: number, start: number, end: number): void {
    const syllable = withPart(this.units[this.length - 1] ?? 0, codePoint)
    if (syllable === undefined) this.push(codePoint, start, end)
    else {
      this.units[this.length - 1] = syllable
      this.extend(end)
    }
  }

  *finish(last: 'folded' | 'kept' | undefined): Steps<View> {
    yield* this.foldWords(last)
    const { starts, ends } = this
    return {
      text: yield* this.text(),
      sourceOf: ({ start, end }) => ({ start: starts[start] ?? 0, end: ends[end - 1] ?? 0 }),
    }
  }

  /**
   * A string of one byte per unit where possible: patterns are compiled anew for two bytes, and run several times
   * slower.
   */
  private *text(): Steps<string> {
    const bytes = Buffer.alloc(this.length)
    for (let from = 0; from < this.length; from += slice) {
      const units = this.units.subarray(from, Math.min(this.length, from + slice))
      if (!units.every((unit) => unit < 0x100))
        return Buffer.from(this.units.buffer, 0, this.length * 2).toString('utf16le')
      bytes.set(units, from)
      yield
    }
    return bytes.toString('latin1')
  }

  private pushAll(units: string, start: number, end: number): void {
    for (let unit = 0; unit < units.length; unit += 1) this.push(units.charCodeAt(unit), start, end)
  }

  /** Lets the source of the last unit extend over a mark on it. */
  private extend(end: number): void {
    if (this.length > 0) this.ends[this.length - 1] = end
  }

  private push(unit: number, start: number, end: number): void {
    this.units[this.length] = unit
    this.starts[this.length] = start
    this.ends[this.length] = end
    this.length += 1
  }

  private *foldWords(last: 'folded' | 'kept' | undefined): Steps<void> {
    let word = new Word()
    let from = 0
    for (let at = 0; at <= this.length; at += 1) {
      if (at > 0 && at % slice === 0) yield
      if (at < this.length && isInWord(this.units[at] ?? 0)) {
        word.add(this.units[at] ?? 0)
        continue
      }
      if (at - from <= maxWordLength && word.isLatin(at === this.length ? last : undefined)) this.fold(from, at)
      from = at + 1
      word = new Word()
    }
  }

  private fold(from: number, to: number): void {
    for (let index = from; index < to; index += 1)
      this.units[index] = latinLookAlike(this.units[index] ?? 0) ?? this.units[index] ?? 0
  }
}

/** Finds out whether a word is Latin. */
class Word {
  private letters = false
  private digits = false
  private others = false

  add(unit: number): void {
    if (isDigit(unit)) this.digits = true
    else if (isLatin(unit)) this.letters = true
    else this.others ||= latinLookAlike(unit) === undefined
  }

  /** Digits occur in words of every script: with nothing but look-alikes beside them, a word is Latin. */
  isLatin(last: 'folded' | 'kept' | undefined): boolean {
    if (this.letters || last === 'folded') return true
    return last !== 'kept' && this.digits && !this.others
  }
}
