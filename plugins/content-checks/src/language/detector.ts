import { failure, injectable } from '@sallyport/core'
import type { Call, Finding, Inspection, InspectionRequest, Detector } from '@sallyport/core'
import { runPaced, Pacer, untilAborted } from '@sallyport/kit/async'
import type { LanguageOptions } from './check.js'
import { lettersOf, namesOf } from './languages.js'
import { minLetters, windowsOf } from './windows.js'
import type { Window } from './windows.js'
import { behind, inspectionOf } from '../detection.js'
import { MadeOfOptions } from '../made-of-options.js'

/** What the library says of a text. */
interface Identifier {
  detect(text: string): { getScores(): Record<string, number> }
}

/** 46 MB of memory, which nobody needs who does not use the check. */
const loadIdentifier = async (): Promise<Identifier> => (await import('eld/small')).eld

/** What texts may be in. */
interface Allowed {
  readonly names: ReadonlySet<string>
  readonly letters: RegExp
}

const version = 'language-eld/1'

/** Tells in which languages the parts of a text are. */
@injectable()
export class LanguageDetector implements Detector {
  private identifier: Promise<Identifier> | undefined
  private readonly known = new MadeOfOptions<Allowed>(2 ** 18)

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
    const report = { detector: version, begin, found: 'has parts in', nothing: 'nothing in another language' }
    return inspectionOf(behind(before, findings), { ...report, ...(findings.length ? {} : { reason: 'too short' }) })
  }

  private allowed(options: unknown, tenant: string): Allowed {
    const given = (options ?? {}) as Partial<LanguageOptions>
    const { allow = [] } = given
    if (!allow.length)
      throw failure('safeguard_unavailable', { problem: 'the check language allows none: name languages in allow' })
    const made = () => ({ names: namesOf(allow), letters: lettersOf(allow) })
    return this.known.get(given, tenant) ?? this.known.set(given, tenant, made())
  }
}

/** Its score says how sure it is that the window is in another language. */
const findingOf = (window: Window, identifier: Identifier, allowed: Allowed): Finding => {
  const { type, margin } = foreignnessOf(window, identifier, allowed)
  return { type, start: window.start, end: window.end, score: scoreOf(margin, window.letters) }
}

/** What is written in letters that no allowed language has. */
const unknownLanguage = 'und'

/** The language that a window seems to be in, and by how much that is likelier than any language that is allowed. */
const foreignnessOf = ({ prose }: Window, identifier: Identifier, { names, letters }: Allowed) => {
  const scores = Object.entries(identifier.detect(prose).getScores()).sort(([, a], [, b]) => b - a)
  const [other, best] = scores.find(([name]) => !names.has(name)) ?? [unknownLanguage, 0]
  const all = prose.match(/\p{L}/gu) ?? []
  const foreign = all.filter((letter) => !letters.test(letter)).length
  if (foreign > all.length / 2) return { type: best > 0 ? other : unknownLanguage, margin: 1 }
  const own = scores.find(([name]) => names.has(name))?.[1] ?? 0
  return { type: other, margin: best - own }
}

/** The margin from which on a text rather is in another language: short ones say little, and terms are of all languages. */
const [neededAlways, neededOfShort, width] = [0.06, 5, 0.3]

const scoreOf = (margin: number, letters: number): number => {
  const needed = neededAlways + neededOfShort / letters
  return Math.min(1, Math.max(0, 0.5 + (margin - needed) / width))
}
