/**
 * The ways in which a recipient may read a text: unchanged, with escapes undone as parsers of JSON do, and each of
 * these with the escapes of other formats undone, which models understand and viewers render.
 */

import { boundedEdits, edited } from './edited.js'
import type { Edit } from './edited.js'
import { emphasisInAddresses, emphasisInNumbers } from './escapes/emphasis.js'
import { charactersIn, isAmbiguous, mayEndBase64, softBreaksIn } from './escapes/formats.js'
import { jsonCharactersIn } from './escapes/json-escapes.js'
import { hexadecimalIn, utf7In } from './escapes/numbers.js'
import { originalReading, positionOf } from './view.js'
import type { Reading } from './view.js'

/** Layers of escapes that are undone. Each doubles the backslashes before an escape, so the last layer has 64. */
const maxDepth = 7

/**
 * The original text, and every different reading of it, by depth.
 * @throws safeguard_unavailable for a text with more escapes than can be undone
 */
export const readingsOf = (text: string): readonly Reading[] => {
  const readings: Reading[] = []
  let next: Reading | undefined = originalReading(text)
  while (next && next.depth <= maxDepth) {
    readings.push(next)
    next = undo(next, jsonCharactersIn, next.depth + 1)
  }
  return withoutDuplicates([...readings, ...readings.flatMap(inOtherFormats)])
}

/** The text with its outermost escapes undone. @throws safeguard_unavailable as in {@link readingsOf} */
export const unescaped = (text: string): Reading =>
  undo(originalReading(text), jsonCharactersIn, 1) ?? originalReading(text)

/** A reading of a text that comes after another one, which is read in the same way. */
export interface ReadingAfter extends Reading {
  readonly before: string
}

/**
 * The readings of a text after another one: an escape there, which may read as a space or as a letter, changes what
 * the text begins with.
 * @throws safeguard_unavailable
 */
export const readingsAfter = (before: string, text: string): readonly ReadingAfter[] =>
  readingsOf(before + text).map((whole) => {
    const cut = positionOf(whole, before.length)
    return {
      depth: whole.depth,
      isOriginal: whole.isOriginal,
      before: whole.text.slice(0, cut),
      text: whole.text.slice(cut),
      sourceOf: ({ start, end }) => {
        const source = whole.sourceOf({ start: start + cut, end: end + cut })
        return { start: Math.max(0, source.start - before.length), end: Math.max(0, source.end - before.length) }
      },
    }
  })

const withoutDuplicates = (readings: readonly Reading[]): Reading[] => {
  const texts = new Set<string>()
  return readings.filter(({ text }) => !texts.has(text) && texts.add(text))
}

type Undo = (reading: Reading) => Reading | undefined

const undoing =
  (find: (text: string) => Iterable<Edit>): Undo =>
  (reading) =>
    undo(reading, find)

/** Undoes in several steps; undefined where none of them has anything to undo. */
const inTurn =
  (...steps: readonly Undo[]): Undo =>
  (reading) => {
    const last = steps.reduce((current, step) => step(current) ?? current, reading)
    return last === reading ? undefined : last
  }

/**
 * Undoes what formats other than JSON hide; what is encoded may itself be escaped.
 * @param joinsLines whether lines that mail has broken are joined
 */
const undoOtherFormats = (escapes: 'c' | 'css', joinsLines = true): Undo => {
  const characters = undoing((text) => charactersIn(text, escapes))
  const decode = inTurn(undoing(hexadecimalIn), undoing(utf7In))
  const decoded: Undo = (reading) => {
    const once = decode(reading)
    return once && (characters(once) ?? once)
  }
  return inTurn(
    ...(joinsLines ? [undoing(softBreaksIn)] : []),
    characters,
    decoded,
    undoing(emphasisInAddresses),
    undoing(emphasisInNumbers),
  )
}
const [asInC, asInCss, inLines] = [undoOtherFormats('c'), undoOtherFormats('css'), undoOtherFormats('c', false)]

/** Escapes that are escaped: `%2540`, `&amp;#64;`. */
const doubled = /%25(?:[2-7][\da-fA-F]|[uU])|&amp;[#a-z]/

const inOtherFormats = (reading: Reading): Reading[] => {
  const once = asInC(reading)
  const twice = once && doubled.test(reading.text) ? asInC(once) : undefined
  const styled = isAmbiguous(reading.text) ? asInCss(reading) : undefined
  const unjoined = mayEndBase64(reading.text) ? inLines(reading) : undefined
  return [once, twice, styled, unjoined].filter((other) => other !== undefined)
}

/** A reading with what `find` finds undone; undefined where it finds nothing. */
const undo = (reading: Reading, find: (text: string) => Iterable<Edit>, depth = reading.depth): Reading | undefined => {
  const result = edited(reading, boundedEdits(find(reading.text)))
  return result && { depth, isOriginal: false, text: result.text, sourceOf: result.sourceOf }
}

/** Escapes a text so that a reading of this depth has it unchanged. */
export const escapedToDepth = (depth: number, text: string): string =>
  depth === 0 ? text : escapedToDepth(depth - 1, JSON.stringify(text).slice(1, -1))
