import type { Pacer } from '@sallyport/kit/async'

/**
 * A text without case and marks, with one space for each run of other characters than letters and digits, and a map of
 * offsets.
 */
export interface FoldedText {
  readonly text: string
  /** The offset of each UTF-16 unit in the original text, and one more for the end. */
  readonly starts: Uint32Array
}

/** How many UTF-16 code units are processed between two pauses. */
const pauseInterval = 16_384
/** The maximum number of UTF-16 code units that a character is folded to. */
const maxFoldedLength = 3

const beyondAscii = /[\u0080-\uffff]/
const letter = /[\p{L}\p{N}]/u
const mark = /\p{M}/u
/** Characters that are not decomposed: their marks are vowels, or they are syllables. */
const unsplit = /[\u0900-\u1cff\u3040-\u30ff\uac00-\ud7a3]/u
const equivalents: Readonly<Record<string, string>> = {
  ...{ ł: 'l', đ: 'd', ø: 'o', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', ς: 'σ' },
  ...{ ٱ: 'ا', ى: 'ي', ک: 'ك', ی: 'ي', ە: 'ه', ة: 'ه', ہ: 'ه', ھ: 'ه', ـ: '' },
}

const foldedCharacters = new Map<number, string>()

const foldCharacter = (codePoint: number): string => {
  let result = foldedCharacters.get(codePoint)
  if (result === undefined) {
    result = uncachedFold(String.fromCodePoint(codePoint))
    foldedCharacters.set(codePoint, result)
  }
  return result
}

const uncachedFold = (character: string): string => {
  const composed = character.normalize('NFKC')
  if (unsplit.test(character)) return mark.test(character) || letter.test(character) ? composed : ' '
  if (mark.test(character)) return ''
  if (!letter.test(character) && character !== 'ـ') return ' '
  return Array.from(composed.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''), (one) => equivalents[one] ?? one)
    .join('')
    .slice(0, maxFoldedLength)
}

/** Folds a word of the rules as texts are folded. */
export const foldWord = (text: string): string =>
  Array.from(text, (one) => foldCharacter(one.codePointAt(0) ?? 0)).join('')

/** The folded unit of each ASCII character, as a table for speed. */
const foldedAscii = Uint8Array.from({ length: 0x80 }, (_, unit) => foldCharacter(unit).charCodeAt(0))

/** Folds a text; the result begins and ends with a space. */
export const foldText = async (text: string, pacer: Pacer): Promise<FoldedText> => {
  const units = new Uint16Array(text.length * (beyondAscii.test(text) ? maxFoldedLength : 1) + 2)
  const starts = new Uint32Array(units.length + 1)
  let length = 0
  const push = (unit: number, start: number): void => {
    if (unit === 0x20 && units[length - 1] === 0x20) return
    starts[length] = start
    units[length] = unit
    length += 1
  }
  push(0x20, 0)
  for (let at = 0, until = pauseInterval; at < text.length; until += pauseInterval) {
    while (at < Math.min(until, text.length)) {
      const codePoint = text.codePointAt(at) ?? 0
      if (codePoint < 0x80) {
        push(foldedAscii[codePoint] ?? 0, at)
        at += 1
        continue
      }
      const fold = foldCharacter(codePoint)
      for (let unit = 0; unit < fold.length; unit += 1) push(fold.charCodeAt(unit), at)
      at += codePoint > 0xffff ? 2 : 1
    }
    await pacer.pause()
  }
  push(0x20, text.length)
  starts[length] = text.length
  return { text: Buffer.from(units.buffer, 0, length * 2).toString('utf16le'), starts }
}
