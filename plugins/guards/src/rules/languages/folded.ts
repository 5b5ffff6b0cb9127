import type { Pacer } from '@sallyport/kit/async'

/** A text with one blank for all that is no letter or digit, without case and marks, and where its units stood. */
export interface Folded {
  readonly text: string
  /** Where each UTF-16 unit began; one more for the end. */
  readonly starts: Uint32Array
}

/** UTF-16 units between two pauses. */
const slice = 16_384
/** UTF-16 units that a character may become. */
const maxFold = 3

const beyondAscii = /[\u0080-\uffff]/
const letter = /[\p{L}\p{N}]/u
const mark = /\p{M}/u
/** Marks that are letters in all but name, and syllables that would fall apart. */
const whole = /[\u0900-\u1cff\u3040-\u30ff\uac00-\ud7a3]/u
const alike: Readonly<Record<string, string>> = {
  ...{ ł: 'l', đ: 'd', ø: 'o', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', ς: 'σ' },
  ...{ ٱ: 'ا', ى: 'ي', ک: 'ك', ی: 'ي', ە: 'ه', ة: 'ه', ہ: 'ه', ھ: 'ه', ـ: '' },
}

const known = new Map<number, string>()

const folded = (codePoint: number): string => {
  let result = known.get(codePoint)
  if (result === undefined) {
    result = foldOf(String.fromCodePoint(codePoint))
    known.set(codePoint, result)
  }
  return result
}

const foldOf = (character: string): string => {
  const composed = character.normalize('NFKC')
  if (whole.test(character)) return mark.test(character) || letter.test(character) ? composed : ' '
  if (mark.test(character)) return ''
  if (!letter.test(character) && character !== 'ـ') return ' '
  return Array.from(composed.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''), (one) => alike[one] ?? one)
    .join('')
    .slice(0, maxFold)
}

/** Words as they are written here, the way texts are read. */
export const foldedWords = (text: string): string => Array.from(text, (one) => folded(one.codePointAt(0) ?? 0)).join('')

/** Each character of ASCII becomes one, which need not be looked up. */
const ofAscii = Uint8Array.from({ length: 0x80 }, (_, unit) => folded(unit).charCodeAt(0))

/** Begins and ends with a blank. */
export const foldedText = async (text: string, pacer: Pacer): Promise<Folded> => {
  const units = new Uint16Array(text.length * (beyondAscii.test(text) ? maxFold : 1) + 2)
  const starts = new Uint32Array(units.length + 1)
  let length = 0
  const push = (unit: number, start: number): void => {
    if (unit === 0x20 && units[length - 1] === 0x20) return
    starts[length] = start
    units[length] = unit
    length += 1
  }
  push(0x20, 0)
  for (let at = 0, until = slice; at < text.length; until += slice) {
    while (at < Math.min(until, text.length)) {
      const codePoint = text.codePointAt(at) ?? 0
      if (codePoint < 0x80) {
        push(ofAscii[codePoint] ?? 0, at)
        at += 1
        continue
      }
      const fold = folded(codePoint)
      for (let unit = 0; unit < fold.length; unit += 1) push(fold.charCodeAt(unit), at)
      at += codePoint > 0xffff ? 2 : 1
    }
    await pacer.pause()
  }
  push(0x20, text.length)
  starts[length] = text.length
  return { text: Buffer.from(units.buffer, 0, length * 2).toString('utf16le'), starts }
}
