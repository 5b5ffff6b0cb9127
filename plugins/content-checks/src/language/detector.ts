import { failure, injectable } from '@sallyport/core'
import type { Call, Finding, Inspection, InspectionRequest, Detector } from '@sallyport/core'
import { runPaced, Pacer, untilAborted } from '@sallyport/kit/async'
import type { LanguageOptions } from './check.js'
import { lettersOf, namesOf } from './languages.js'
import { minLetters, windowsOf } from './windows.js'
import type { Window } from './windows.js'
import { withinText, inspectionOf } from '../detection.js'
import { OptionsCache } from '../options-cache.js'

/** The part of the library `eld` that is used. */
interface Identifier {
  detect(text: string): { getScores(): Record<string, number> }
}

/** Loaded at first use, as it takes 46 MB of memory. */
const loadIdentifier = async (): Promise<Identifier> => (await import('eld/small')).eld

/** The languages that texts may be in. */
interface AllowedLanguages {
  readonly names: ReadonlySet<string>
  readonly letters: RegExp
}

/** Identifies the languages of the parts of a text. */
@injectable()
export class LanguageDetector implements Detector {
  private identifier: Promise<Identifier> | undefined
  private readonly cache = new OptionsCache<AllowedLanguages>(2 ** 18)

  /** @throws safeguard_unavailable where no languages are allowed */
  async inspect({ text, before = '', options }: InspectionRequest, call: Call): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const allowed = this.allowed(options, call.tenant)
    const pacer = new Pacer(call)
    const windows = (await runPaced(windowsOf(before + text), pacer)).filter(({ letters }) => letters >= minLetters)
    const identifier = await untilAborted((this.identifier ??= loadIdentifier()), call.signal)
    const findings: Finding[] = []
    for (const window of windows) {
      if (window.end > before.length) findings.push(findingOf(window, identifier, allowed))
      await pacer.pause()
    }
    const report = {
      detector: 'language-eld/1',
      begin,
      introduction: 'has parts in',
      noFindings: 'in allowed languages',
    }
    const reason = findings.length ? {} : { reason: 'too short' }
    return inspectionOf(withinText(before, findings), { ...report, ...reason })
  }

  private allowed(options: unknown, tenant: string): AllowedLanguages {
    const languageOptions = (options ?? {}) as Partial<LanguageOptions>
    const { allow = [] } = languageOptions
    if (!allow.length)
      throw failure('safeguard_unavailable', { problem: 'the check language allows none: name languages in allow' })
    const compiled = () => ({ names: namesOf(allow), letters: lettersOf(allow) })
    return this.cache.get(languageOptions, tenant) ?? this.cache.set(languageOptions, tenant, compiled())
  }
}

/** The score is the certainty that the window is in a language that is not allowed. */
const findingOf = (window: Window, identifier: Identifier, allowed: AllowedLanguages): Finding => {
  const { type, margin } = foreignnessOf(window, identifier, allowed)
  return { type, start: window.start, end: window.end, score: scoreOf(margin, window.letters) }
}

/** The BCP 47 tag of texts whose language is not known. */
const unknownLanguage = 'und'

/** The likeliest language that is not allowed, and the margin of its score over the best allowed one. */
const foreignnessOf = ({ prose }: Window, identifier: Identifier, { names, letters }: AllowedLanguages) => {
  const scores = Object.entries(identifier.detect(prose).getScores()).sort(([, a], [, b]) => b - a)
  const [other, best] = scores.find(([name]) => !names.has(name)) ?? [unknownLanguage, 0]
  const all = prose.match(/\p{L}/gu) ?? []
  const foreign = all.filter((letter) => !letters.test(letter)).length
  if (foreign > all.length / 2) return { type: best > 0 ? other : unknownLanguage, margin: 1 }
  const own = scores.find(([name]) => names.has(name))?.[1] ?? 0
  return { type: other, margin: best - own }
}

/** Margins at which the score is 0.5: higher in short texts, which say little, never 0, as languages share words. */
const [baseMargin, shortTextMargin, width] = [0.06, 5, 0.3]

const scoreOf = (margin: number, letters: number): number => {
  const neutralMargin = baseMargin + shortTextMargin / letters
  return Math.min(1, Math.max(0, 0.5 + (margin - neutralMargin) / width))
}
