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

const sampleLike = (
  original: string,
  random: Randomness,
  { recognizer, patterns }: CompiledRecognizer,
): string | undefined => {
  const shape = patterns.find(({ regex, within }) => !within && matchesWhole(regex, original))
  for (let attempt = 0; shape && attempt < attempts; attempt += 1) {
    const written = writtenLike(original, sample(shape.regex, random))
    if (written !== undefined && written !== original && isValidNumber(written, shape.regex, recognizer.validate))
      return written
  }
  return undefined
}

const isValidNumber = (text: string, regex: RegExp, validate: CompiledRecognizer['recognizer']['validate']): boolean =>
  matchesWhole(regex, text) && validate?.(text) !== false

const matchesWhole = (regex: RegExp, text: string): boolean => {
  regex.lastIndex = 0
  const found = regex.exec(text)
  return found?.index === 0 && found[0].length === text.length
}

/**
 * Writes the letters and digits of one text in the format of another; undefined where the counts of letters and digits
 * differ.
 */
const writtenLike = (original: string, other: string): string | undefined => {
  const characters = other.match(significant) ?? []
  if (characters.length !== original.match(significant)?.length) return undefined
  let next = 0
  return original.replaceAll(significant, (character) => {
    const replacement = characters[next++] ?? ''
    return /\p{Ll}/u.test(character)
      ? replacement.toLowerCase()
      : /\p{Lu}/u.test(character)
        ? replacement.toUpperCase()
        : replacement
  })
}
