/** Whether a text is in a language, by letters and by n-grams. */

import { maxOf } from '@sallyport/kit/lists'
import { scriptOf } from '../pairs.js'

interface Detection {
  readonly language: string
  getScores(): Record<string, number>
}

export interface Detector {
  detect(text: string): Detection
  info(): { Languages: Record<number, string> }
}

/** Loads the smallest data set, which takes 37 MB of memory and suffices for sentences. */
export const loadDetector = async (): Promise<Detector> => (await import('eld/extrasmall')).eld

/** Other codes of the detector for the same language, or for its nearest relative that the detector knows. */
const relatives: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', id: 'ms', bs: 'hr', fil: 'tl', yue: 'zh' }

/** The detector's code of a language. */
const codeOf = (tag: string): string => {
  const [language = tag] = tag.split('-')
  return language === 'sr' && scriptOf(tag) === 'Latn' ? 'hr' : (relatives[language] ?? language)
}

/** The number of letters from which on the detector has its full weight. */
const fullTrustLength = 40

/**
 * Whether a text is in a language: 1 where it seems to be, 0 where it certainly is not. The result is near 1 where the
 * text is too short to detect its language, and depends on the script alone where the detector does not know the
 * language.
 */
export const languageGate = (detector: Detector, text: string, tag: string): number => {
  const letters = text.match(/\p{L}/gu) ?? []
  if (letters.length === 0) return 1
  const script = scriptShare(letters, tag)
  const code = codeOf(tag)
  if (!Object.values(detector.info().Languages).includes(code)) return script
  const scores = detector.detect(text).getScores()
  const best = maxOf(Object.values(scores), Number.EPSILON)
  // Closely related languages have nearly the same score.
  const doubt = clamp((0.95 - (scores[code] ?? 0) / best) / 0.25)
  return script * (1 - doubt * Math.min(1, letters.length / fullTrustLength))
}

/** Letters of scripts that are mixed, or have another name in Unicode. */
const mixedScripts: Readonly<Record<string, RegExp>> = {
  Jpan: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]/u,
  Kore: /[\p{Script=Hangul}\p{Script=Han}]/u,
  Hans: /\p{Script=Han}/u,
  Hant: /\p{Script=Han}/u,
}

/** 1 where at least half of the letters are of the language's script: names in Latin letters are usual everywhere. */
const scriptShare = (letters: readonly string[], tag: string): number => {
  const script = scriptOf(tag) ?? 'Latn'
  const own = mixedScripts[script] ?? scriptPattern(script)
  if (!own) return 1
  return clamp((2 * letters.filter((letter) => own.test(letter)).length) / letters.length)
}

/** A pattern for a letter of a script; undefined where regular expressions do not know the script. */
const scriptPattern = (script: string): RegExp | undefined => {
  try {
    return new RegExp(`\\p{Script=${script}}`, 'u')
  } catch {
    return undefined
  }
}

export const clamp = (value: number): number => Math.min(1, Math.max(0, value))
