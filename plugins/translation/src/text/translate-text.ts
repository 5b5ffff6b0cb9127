import { failure } from '@sallyport/core'
import type { Call } from '@sallyport/core'
import { layoutOf } from './layout.js'
import type { LayoutOptions } from './layout.js'
import { damagedItems, hasWords } from './protected.js'
import { wrapped } from './wrap.js'

/** Translates texts without line breaks, each for itself; as many come back, in their order. */
export type TranslateUnits = (units: readonly string[], call: Call) => Promise<readonly string[]>

/**
 * Translates what is language in a text; lines, lists, mark-up and what stands in `protected.ts` stay. A translation
 * that has lost something of these is made anew from the parts around it.
 */
export const translateText = async (
  text: string,
  options: LayoutOptions,
  translate: TranslateUnits,
  call: Call,
): Promise<string> => {
  const pieces = layoutOf(text, options)
  const units = [...new Set(pieces.flatMap((piece) => ('words' in piece ? [piece.words] : [])))]
  const translated = await faithful(units, translate, call)
  const translations = new Map(units.map((unit, index) => [unit, translated[index] ?? '']))
  return pieces
    .map((piece) => {
      if ('kept' in piece) return piece.kept
      const translation = translations.get(piece.words) ?? ''
      return piece.width === undefined ? translation : wrapped(translation, piece.width)
    })
    .join('')
}

/** Ends: the parts of a unit have fewer items than it. */
const faithful = async (units: readonly string[], translate: TranslateUnits, call: Call): Promise<string[]> => {
  if (units.length === 0) return []
  const translations = await translate(units, call)
  call.signal.throwIfAborted()
  if (translations.length !== units.length)
    throw failure('internal', {}, { cause: new Error(`${translations.length} translations of ${units.length} units`) })
  const tidied = units.map((unit, index) => tidy(unit, translations[index] ?? ''))
  const broken = units.map((unit, index) => partsAround(unit, tidied[index] ?? ''))
  const parts = broken.flat().filter(hasWords)
  const repaired = new Map(
    (
      await faithful(
        parts.map((part) => part.trim()),
        translate,
        call,
      )
    ).map((part, index) => [parts[index] ?? '', part]),
  )
  return units.map((_, index) => {
    const around = broken[index] ?? []
    return around.length > 0
      ? around.map((part) => inItsPlace(part, repaired.get(part))).join('')
      : (tidied[index] ?? '')
  })
}

/** The text cut at what its translation has damaged; nothing where it is whole. */
const partsAround = (text: string, translation: string): string[] => {
  const damaged = damagedItems(text, translation)
  if (damaged.length === 0) return []
  const parts: string[] = []
  let from = 0
  for (const { start, end } of damaged) {
    parts.push(text.slice(from, start), text.slice(start, end))
    from = end
  }
  return [...parts, text.slice(from)].filter((part) => part !== '')
}

const inItsPlace = (part: string, translation: string | undefined): string =>
  translation === undefined ? part : `${/^\s*/u.exec(part)?.[0] ?? ''}${translation}${/\s*$/u.exec(part)?.[0] ?? ''}`

const endsSentence = /[.!?…。！？:;]["'”’»)\]]*$/u

/** On one line; without a full stop that the text did not have. */
const tidy = (text: string, translation: string): string => {
  const line = translation.replace(/\s+/gu, (space) => (/[\r\n\u2028\u2029\v\f]/.test(space) ? ' ' : space)).trim()
  return endsSentence.test(text) ? line : line.replace(/(?<![.…])[.。]$/u, '')
}
