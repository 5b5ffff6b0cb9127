import type { CompiledRecognizer } from '../../matching/compiled.js'
import type { Randomness } from '../../random/randomness.js'
import { asDigits } from '../../patterns/spread.js'
import { sample } from '../../regex/sample.js'

/** How many numbers are tried until one has valid check digits. */
const attempts = 4000

const significant = /[\p{L}\p{N}]/gu

/** Another value that the recogniser takes for valid, written like the original; undefined where none is found. */
export const validNumber = (
  original: string,
  random: Randomness,
  recognizers: readonly CompiledRecognizer[],
): string | undefined => {
  const compact = asDigits(original)
  const isSpread = compact !== original && compact.length === original.match(significant)?.length
  for (const recognizer of recognizers) {
    const number =
      sampleLike(original, random, recognizer) ?? (isSpread ? sampleLike(compact, random, recognizer) : undefined)
    if (number !== undefined) return writtenLike(original, number)
  }
  return undefined
}

const sampleLike = (original: string, random: Randomness, compiled: CompiledRecognizer): string | undefined => {
  const { patterns, recognizer } = compiled
  const shape = patterns.find(({ regex, within }) => !within && matchesWhole(regex, original))
  for (let attempt = 0; shape && attempt < attempts; attempt += 1) {
    const number = writtenLike(original, sample(shape.regex, random))
    if (number === undefined || number === original) continue
    if (matchesWhole(shape.regex, number) && recognizer.validate?.(number) !== false) return number
  }
  return undefined
}

const matchesWhole = (regex: RegExp, text: string): boolean => {
  regex.lastIndex = 0
  const match = regex.exec(text)
  return match?.index === 0 && match[0].length === text.length
}

/** Writes the letters and digits of a string in the format of another; undefined where their counts differ. */
const writtenLike = (original: string, other: string): string | undefined => {
  const characters = other.match(significant) ?? []
  if (characters.length !== original.match(significant)?.length) return undefined
  return original.replaceAll(significant, (character) => {
    const replacement = characters.shift() ?? ''
    if (/\p{Ll}/u.test(character)) return replacement.toLowerCase()
    return /\p{Lu}/u.test(character) ? replacement.toUpperCase() : replacement
  })
}
