import type { Pacer } from '@sallyport/kit/async'
import type { Span } from '@sallyport/kit/views'
import type { Word } from '../heads/words.js'
import { Elsewhere, isQuoted } from './context.js'
import type { Family, FamilyFacts } from './family.js'
import { languages } from './languages/language.js'
import { Meanings } from './languages/matcher.js'
import { parsePhrase, PhraseIndex } from './phrases.js'

/** A match, in UTF-16 units of the text that was looked at. Plain data. */
export interface FoundRule extends Span {
  /** One object for all matches of a family, also where they come from a thread. */
  readonly family: FamilyFacts
  /** Whether it begins a quotation in a text about something else. */
  readonly quoted: boolean
}

/** A family made ready to be looked for. */
interface Compiled {
  readonly family: Family
  readonly facts: FamilyFacts
  readonly elsewhere: Elsewhere | undefined
  readonly patterns: readonly RegExp[]
}

const compiled = (family: Family): Compiled => {
  const { id, explanation, score, elsewhere, patterns = [] } = family
  return {
    family,
    facts: { id, explanation, score },
    elsewhere: elsewhere && new Elsewhere(elsewhere.phrases, elsewhere.unless),
    patterns: patterns.map(({ source, flags = '' }) => new RegExp(source.join(''), `${flags}g`)),
  }
}

/** Matches of a family in one text, of those that are quoted and of the others, behind which no quotation says anything new. */
const maxMatches = 100
/** Words, or matches, between two pauses. */
const slice = 256

/** Finds what families of rules know. */
export class Rules {
  private readonly families: readonly Compiled[]
  private readonly phrases: PhraseIndex<Compiled>
  private readonly meanings?: Meanings<Compiled>

  constructor(families: readonly Family[]) {
    this.families = families.map(compiled)
    this.phrases = new PhraseIndex(
      this.families.flatMap((owner) => (owner.family.phrases ?? []).map((phrase) => parsePhrase(phrase, owner))),
    )
    const meanings = this.families.flatMap((owner) =>
      (owner.family.meanings ?? []).map((meaning) => ({ owner, ...meaning })),
    )
    if (meanings.length > 0) this.meanings = new Meanings(languages(), meanings)
  }

  async find(text: string, words: readonly Word[], pacer: Pacer): Promise<FoundRule[]> {
    const matches = new Matches(text)
    for (let at = 0; at < words.length; at += 1) {
      for (const { owner, last } of this.phrases.at(words, at))
        if (owner.elsewhere?.isSo(text, words, at, last) !== true)
          matches.add(owner, { start: words[at]?.start ?? 0, end: words[last]?.end ?? 0 })
      if (at % slice === 0) await pacer.pause()
    }
    for (const [at, { owner, ...span }] of ((await this.meanings?.find(text, pacer)) ?? []).entries()) {
      matches.add(owner, span)
      if (at % slice === 0) await pacer.pause()
    }
    for (const owner of this.families)
      for (const pattern of owner.patterns) {
        let count = 0
        for (const { 0: match, index } of text.matchAll(pattern)) {
          matches.add(owner, { start: index, end: index + match.length })
          if ((count += 1) % slice === 0) await pacer.pause()
        }
        await pacer.pause()
      }
    return matches.withoutTranslations()
  }
}

/** What was found in one text so far. */
class Matches {
  private readonly found: (FoundRule & { readonly translates: string | undefined })[] = []
  private readonly plain = new Map<FamilyFacts, number>()
  private readonly quoted = new Map<FamilyFacts, number>()

  constructor(private readonly text: string) {}

  add({ facts, family: { translates } }: Compiled, { start, end }: Span): void {
    if ((this.plain.get(facts) ?? 0) >= maxMatches) return
    const quoted = isQuoted(this.text, start, end)
    const counts = quoted ? this.quoted : this.plain
    const count = counts.get(facts) ?? 0
    counts.set(facts, count + 1)
    if (count < maxMatches) this.found.push({ family: facts, start, end, quoted, translates })
  }

  /** Words of one language are words of others, too: what English says at a place is not told again. */
  withoutTranslations(): FoundRule[] {
    const isTold = ({ start, end, translates }: (typeof this.found)[number]): boolean =>
      translates !== undefined &&
      this.found.some(({ family, ...other }) => family.id === translates && other.start < end && start < other.end)
    return this.found.filter((one) => !isTold(one)).map(({ translates: _, ...match }) => match)
  }
}
