import { failure, injectable } from '@sallyport/core'
import type { Call, Finding, Inspection, InspectionRequest, Safeguard } from '@sallyport/core'
import { paced, Pacer } from '@sallyport/kit/async'
import type { LanguageOptions } from './check.js'
import { lettersOf, namesOf } from './languages.js'
import { fewestLetters, windowsOf } from './windows.js'
import type { Window } from './windows.js'
import { inspectionOf } from '../detection.js'
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
export class LanguageDetector implements Safeguard {
  private identifier: Promise<Identifier> | undefined
  private readonly known = new MadeOfOptions<Allowed>(2 ** 18)

  /** @throws safeguard_unavailable where no languages are allowed */
  async inspect({ text, before = '', options }: InspectionRequest, call: Call): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const allowed = this.allowed(options, call.tenant)
    const pacer = new Pacer(call)
    const windows = (await paced(windowsOf(before + text), pacer)).filter(({ letters }) => letters >= fewestLetters)
    const identifier = await (this.identifier ??= loadIdentifier())
    const findings: Finding[] = []
    for (const window of windows) {
      if (window.end > before.length) findings.push(findingOf(window, before.length, identifier, allowed))
      await pacer.pause()
    }
    const told = { detector: version, begin, found: 'has parts in', nothing: 'nothing in another language' }
    return inspectionOf(findings, { ...told, ...(findings.length ? {} : { reason: 'too short' }) })
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
const findingOf = (window: Window, offset: number, identifier: Identifier, allowed: Allowed): Finding => {
  const { other, margin } = judged(window, identifier, allowed)
  return {
    type: other,
    start: Math.max(0, window.start - offset),
    end: window.end - offset,
    score: scoreOf(margin, window.letters),
  }
}

interface Judged {
  /** The language that it seems to be in. */
  readonly other: string
  /** By how much that is likelier than any language that is allowed. */
  readonly margin: number
}

/** What is written in letters that no allowed language has. */
const unknownLanguage = 'und'

const judged = ({ prose }: Window, identifier: Identifier, { names, letters }: Allowed): Judged => {
  const scores = Object.entries(identifier.detect(prose).getScores()).sort(([, a], [, b]) => b - a)
  const [other, best] = scores.find(([name]) => !names.has(name)) ?? [unknownLanguage, 0]
  const all = prose.match(/\p{L}/gu) ?? []
  const foreign = all.filter((letter) => !letters.test(letter)).length
  if (foreign > all.length / 2) return { other: best > 0 ? other : unknownLanguage, margin: 1 }
  const own = scores.find(([name]) => names.has(name))?.[1] ?? 0
  return { other, margin: best - own }
}

/** From where on another language is likelier than not: short texts say little, and terms are of all languages. */
const [neededAlways, neededOfShort, width] = [0.06, 5, 0.3]

const scoreOf = (margin: number, letters: number): number => {
  const needed = neededAlways + neededOfShort / letters
  return Math.min(1, Math.max(0, 0.5 + (margin - needed) / width))
}
