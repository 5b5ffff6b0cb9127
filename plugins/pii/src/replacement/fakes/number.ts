import type { CompiledRecognizer } from '../../matching/compiled.js'
import type { Randomness } from '../randomness.js'
import { asDigits } from '../../patterns/spread.js'
import { sample } from '../../regex/sample.js'

/** Numbers that are made before one with the right check digits is given up. */
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
      another(original, random, recognizer) ?? (isSpread ? another(compact, random, recognizer) : undefined)
    if (number !== undefined) return writtenLike(original, number)
  }
  return undefined
}

const another = (
  original: string,
  random: Randomness,
  { recognizer, patterns }: CompiledRecognizer,
): string | undefined => {
  const shape = patterns.find(({ regex, within }) => !within && matchesWhole(regex, original))
  for (let attempt = 0; shape && attempt < attempts; attempt += 1) {
    const written = writtenLike(original, sample(shape.regex, random))
    if (written !== undefined && written !== original && isOne(written, shape.regex, recognizer.validate))
      return written
  }
  return undefined
}

const isOne = (text: string, regex: RegExp, validate: CompiledRecognizer['recognizer']['validate']): boolean =>
  matchesWhole(regex, text) && validate?.(text) !== false

const matchesWhole = (regex: RegExp, text: string): boolean => {
  regex.lastIndex = 0
  const found = regex.exec(text)
  return found?.index === 0 && found[0].length === text.length
}

/** The letters and digits of one text in the places of those of another; undefined where they are not as many. */
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
