import type { Pacer } from '@sallyport/kit/async'
import type { Span } from '@sallyport/kit/views'
import { foldText } from './folded.js'
import type { Language, RolePattern, Role } from './language.js'
import { containsAnywhereScript, Lexicon } from './lexicon.js'
import type { RoleWord } from './lexicon.js'
import { coveringSpan, exemptionsOf, isNamed, Surroundings } from './surroundings.js'
import type { Candidate, Exemptions } from './surroundings.js'

/** A match of a role pattern, in UTF-16 code units of the searched text. */
export interface RoleMatch<Owner> extends Span {
  readonly owner: Owner
}

/** The default distance in characters within which all words of an attack must be. */
const defaultReach = 80
/** A negation of a verb of one of these roles holds for later ones, too: "do not act or be". */
const carryingRoles: ReadonlySet<Role> = new Set(['be', 'act'])
/** The share of the reach over which it holds. */
const carriedReach = 0.3
/** How many UTF-16 code units are processed between two pauses. */
const pauseInterval = 8192

interface CompiledLanguage {
  readonly anywhere: boolean | undefined
  readonly reach: number
  readonly exemptions: Exemptions
}

/** The state for one language: the last word of each role, and the end of a negation that holds for later verbs. */
interface State {
  readonly words: Map<Role, Span>
  negatedUntil: number
}

/** Finds attacks in other languages by the roles of their words. */
export class RoleMatcher<Owner> {
  private readonly lexicon: Lexicon
  private readonly languages: readonly CompiledLanguage[]
  private readonly byRole = new Map<Role, RolePattern<Owner>[]>()

  constructor(languages: readonly Language[], patterns: readonly RolePattern<Owner>[]) {
    this.lexicon = new Lexicon(languages)
    this.languages = languages.map((language) => ({
      anywhere: language.anywhere,
      reach: language.reach ?? defaultReach,
      exemptions: exemptionsOf(language),
    }))
    for (const pattern of patterns)
      for (const role of pattern.roles) this.byRole.set(role, [...(this.byRole.get(role) ?? []), pattern])
  }

  async find(text: string, pacer: Pacer): Promise<RoleMatch<Owner>[]> {
    const folded = await foldText(text, pacer)
    const surroundings = new Surroundings(text, folded)
    const hasAnywhereScript = containsAnywhereScript(folded.text)
    const states = this.languages.map((): State => ({ words: new Map(), negatedUntil: 0 }))
    const found: RoleMatch<Owner>[] = []
    // Where no script is matched anywhere, words begin after spaces.
    const next = (offset: number): number => (hasAnywhereScript ? offset : folded.text.indexOf(' ', offset)) + 1
    for (let offset = 0, until = 0; offset < folded.text.length; offset = next(offset)) {
      if (offset >= until) {
        await pacer.pause()
        until = offset + pauseInterval
      }
      for (const roleWord of this.lexicon.at(folded.text, offset, hasAnywhereScript)) {
        const [language, state] = [this.languages[roleWord.language], states[roleWord.language]]
        const match = language && state && this.addWord(roleWord, offset, language, state, surroundings)
        if (match) found.push(match)
      }
    }
    return found
  }

  /** Records a word in the state of its language; returns the match that it completes. */
  private addWord(
    { stem, opensClause, role }: RoleWord,
    offset: number,
    { anywhere, reach, exemptions }: CompiledLanguage,
    state: State,
    surroundings: Surroundings,
  ): RoleMatch<Owner> | undefined {
    const { words } = state
    const word = surroundings.spanOf(stem, offset, anywhere)
    if (opensClause && !surroundings.isOpening(word)) return undefined
    if (surroundings.isHarmless(word, role, exemptions)) {
      if (carryingRoles.has(role)) state.negatedUntil = word.end + carriedReach * reach
      return undefined
    }
    if (carryingRoles.has(role) && word.start < state.negatedUntil) return undefined
    if (role !== 'model' || !isNamed(words, word, reach)) words.set(role, word)
    for (const pattern of this.byRole.get(role) ?? []) {
      const candidate = candidateOf(pattern, words, reach)
      if (!candidate || !surroundings.isAttack(candidate, reach, exemptions)) continue
      const [verb] = pattern.roles
      if (verb) words.delete(verb)
      return { owner: pattern.owner, ...surroundings.sourceOf(candidate) }
    }
    return undefined
  }
}

const candidateOf = <Owner>(
  pattern: RolePattern<Owner>,
  words: ReadonlyMap<Role, Span>,
  reach: number,
): Candidate<Owner> | undefined => {
  const spans = pattern.roles.map((role) => words.get(role)).filter((span) => span !== undefined)
  if (spans.length < pattern.roles.length) return undefined
  const candidate = { pattern, words, ...coveringSpan(spans) }
  return candidate.end - candidate.start <= (pattern.within ?? 1) * reach ? candidate : undefined
}
