import type { Pacer } from '@sallyport/kit/async'
import type { Span } from '@sallyport/kit/views'
import { foldedText } from './folded.js'
import type { Language, Meaning, Role } from './language.js'
import { hasOther, Lexicon } from './lexicon.js'
import type { Entry } from './lexicon.js'
import { around, exemptionsOf, isNamed, Surroundings } from './surroundings.js'
import type { Candidate, Exemptions } from './surroundings.js'

/** A match of a meaning, in UTF-16 units of the searched text. */
export interface MeaningMatch<Owner> extends Span {
  readonly owner: Owner
}

/** The default distance in characters within which all words of an attack stand. */
const usualReach = 80
/** Roles that an earlier negated verb denies, and the share of the reach within which it does: "do not pretend that you are". */
const deniable: ReadonlySet<Role> = new Set(['be', 'act'])
const denialReach = 0.3
/** How many places are processed between two pauses. */
const slice = 8192

/** A compiled language. */
interface CompiledLanguage {
  readonly anywhere: boolean | undefined
  readonly reach: number
  readonly exemptions: Exemptions
}

/** The state for one language: the last word of each role, and the place up to which verbs are denied. */
interface State {
  readonly words: Map<Role, Span>
  denied: number
}

/** Finds attacks in other languages by the roles of their words. */
export class Meanings<Owner> {
  private readonly lexicon: Lexicon
  private readonly languages: readonly CompiledLanguage[]
  private readonly byRole = new Map<Role, Meaning<Owner>[]>()

  constructor(languages: readonly Language[], meanings: readonly Meaning<Owner>[]) {
    this.lexicon = new Lexicon(languages)
    this.languages = languages.map((language) => ({
      anywhere: language.anywhere,
      reach: language.reach ?? usualReach,
      exemptions: exemptionsOf(language),
    }))
    for (const meaning of meanings)
      for (const role of meaning.roles) this.byRole.set(role, [...(this.byRole.get(role) ?? []), meaning])
  }

  async find(text: string, pacer: Pacer): Promise<MeaningMatch<Owner>[]> {
    const folded = await foldedText(text, pacer)
    const surroundings = new Surroundings(text, folded)
    const mixed = hasOther(folded.text)
    const states = this.languages.map((): State => ({ words: new Map(), denied: 0 }))
    const found: MeaningMatch<Owner>[] = []
    // In alphabets, words begin after blanks.
    const next = (place: number): number => (mixed ? place : folded.text.indexOf(' ', place)) + 1
    for (let place = 0, until = 0; place < folded.text.length; place = next(place)) {
      if (place >= until) {
        await pacer.pause()
        until = place + slice
      }
      for (const entry of this.lexicon.at(folded.text, place, mixed)) {
        const [language, state] = [this.languages[entry.language], states[entry.language]]
        const match = language && state && this.read(entry, place, language, state, surroundings)
        if (match) found.push(match)
      }
    }
    return found
  }

  /** Takes a word into the state of its language; returns the match that it completes. */
  private read(
    { stem, opens, role }: Entry,
    place: number,
    { anywhere, reach, exemptions }: CompiledLanguage,
    state: State,
    surroundings: Surroundings,
  ): MeaningMatch<Owner> | undefined {
    const { words } = state
    const word = surroundings.spanOf(stem, place, anywhere)
    if (opens && !surroundings.isOpening(word)) return undefined
    if (surroundings.isHarmless(word, role, exemptions)) {
      if (deniable.has(role)) state.denied = word.end + denialReach * reach
      return undefined
    }
    if (deniable.has(role) && word.start < state.denied) return undefined
    if (role !== 'model' || !isNamed(words, word, reach)) words.set(role, word)
    for (const meaning of this.byRole.get(role) ?? []) {
      const candidate = candidateOf(meaning, words, reach)
      if (!candidate || !surroundings.isAttack(candidate, reach, exemptions)) continue
      const [verb] = meaning.roles
      if (verb) words.delete(verb)
      return { owner: meaning.owner, ...surroundings.sourceOf(candidate) }
    }
    return undefined
  }
}

const candidateOf = <Owner>(
  meaning: Meaning<Owner>,
  words: ReadonlyMap<Role, Span>,
  reach: number,
): Candidate<Owner> | undefined => {
  const spans = meaning.roles.map((role) => words.get(role)).filter((span) => span !== undefined)
  if (spans.length < meaning.roles.length) return undefined
  const candidate = { meaning, words, ...around(spans) }
  return candidate.end - candidate.start <= (meaning.within ?? 1) * reach ? candidate : undefined
}
