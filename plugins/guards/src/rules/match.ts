import type { Pacer } from '@sallyport/kit/async'
import type { Span } from '@sallyport/kit/views'
import type { Word } from '../classifiers/words.js'
import { ExemptingPhrases, isQuoted } from './context.js'
import type { Family, FamilyFacts } from './family.js'
import { languages } from './languages/language.js'
import { RoleMatcher } from './languages/matcher.js'
import { parsePhrase, PhraseIndex } from './phrases.js'

/** A match of a rule, in UTF-16 code units of the searched text; plain data, as it comes from threads. */
export interface RuleMatch extends Span {
  /** The same object for all matches of a family, also where they come from a thread. */
  readonly family: FamilyFacts
  /** Whether it begins a quotation. */
  readonly quoted: boolean
}

interface CompiledFamily {
  readonly family: Family
  readonly facts: FamilyFacts
  readonly exempting: ExemptingPhrases | undefined
  readonly patterns: readonly RegExp[]
}

const compileFamily = (family: Family): CompiledFamily => {
  const { type, explanation, score, translates, exempting, patterns = [] } = family
  return {
    family,
    facts: { type, explanation, score, ...(translates !== undefined && { translates }) },
    exempting: exempting && new ExemptingPhrases(exempting.phrases, exempting.unless),
    patterns: patterns.map(({ source, flags = '' }) => new RegExp(source.join(''), `${flags}g`)),
  }
}

/** UTF-16 code units within which matches in a document support each other: far apart they are coincidences. */
export const neighbourhood = 2000
/** The maximum number of quoted and of unquoted matches of a family; beyond it, each neighbourhood has one more. */
const maxMatches = 100
/** How many words or matches are processed between two pauses. */
const pauseInterval = 256

export class Rules {
  private readonly families: readonly CompiledFamily[]
  private readonly phrases: PhraseIndex<CompiledFamily>
  private readonly roleMatcher?: RoleMatcher<CompiledFamily>

  constructor(families: readonly Family[]) {
    this.families = families.map(compileFamily)
    this.phrases = new PhraseIndex(
      this.families.flatMap((owner) => (owner.family.phrases ?? []).map((phrase) => parsePhrase(phrase, owner))),
    )
    const rolePatterns = this.families.flatMap((owner) =>
      (owner.family.rolePatterns ?? []).map((pattern) => ({ owner, ...pattern })),
    )
    if (rolePatterns.length > 0) this.roleMatcher = new RoleMatcher(languages(), rolePatterns)
  }

  async find(text: string, words: readonly Word[], pacer: Pacer): Promise<RuleMatch[]> {
    const matches = new Matches(text)
    for (let at = 0; at < words.length; at += 1) {
      for (const { owner, last } of this.phrases.at(words, at))
        if (owner.exempting?.isExempt(text, words, at, last) !== true)
          matches.add(owner, { start: words[at]?.start ?? 0, end: words[last]?.end ?? 0 })
      if (at % pauseInterval === 0) await pacer.pause()
    }
    for (const [at, { owner, ...span }] of ((await this.roleMatcher?.find(text, pacer)) ?? []).entries()) {
      matches.add(owner, span)
      if (at % pauseInterval === 0) await pacer.pause()
    }
    for (const owner of this.families)
      for (const pattern of owner.patterns) {
        let count = 0
        for (const { 0: match, index } of text.matchAll(pattern)) {
          matches.add(owner, { start: index, end: index + match.length })
          if ((count += 1) % pauseInterval === 0) await pacer.pause()
        }
        await pacer.pause()
      }
    return matches.withoutTranslations()
  }
}

/** Counts matches by family. */
class Counts {
  private readonly matches = new Map<FamilyFacts, number>()
  private readonly neighbourhoods = new Map<FamilyFacts, Set<number>>()

  hasRoom(family: FamilyFacts, start: number): boolean {
    const isFirst = this.neighbourhoods.get(family)?.has(Math.floor(start / neighbourhood)) !== true
    return isFirst || (this.matches.get(family) ?? 0) < maxMatches
  }

  add(family: FamilyFacts, start: number): void {
    this.matches.set(family, (this.matches.get(family) ?? 0) + 1)
    const places = this.neighbourhoods.get(family) ?? new Set()
    this.neighbourhoods.set(family, places.add(Math.floor(start / neighbourhood)))
  }
}

class Matches {
  private readonly found: (RuleMatch & { readonly translates: string | undefined })[] = []
  private readonly unquoted = new Counts()
  private readonly quoted = new Counts()

  constructor(private readonly text: string) {}

  add({ facts, family: { translates } }: CompiledFamily, { start, end }: Span): void {
    if (!this.unquoted.hasRoom(facts, start)) return
    const quoted = isQuoted(this.text, start, end)
    const counts = quoted ? this.quoted : this.unquoted
    if (!counts.hasRoom(facts, start)) return
    counts.add(facts, start)
    this.found.push({ family: facts, start, end, quoted, translates })
  }

  /** Languages share words, so matches that overlap one of the English type are dropped. */
  withoutTranslations(): RuleMatch[] {
    const isTranslation = ({ start, end, translates }: (typeof this.found)[number]): boolean =>
      translates !== undefined &&
      this.found.some(({ family, ...other }) => family.type === translates && other.start < end && start < other.end)
    return this.found.filter((one) => !isTranslation(one)).map(({ translates: _, ...match }) => match)
  }
}
