import type { Pacer } from '@sallyport/kit/async'
import type { Word } from '../heads/words.js'
import type { Family } from './family.js'
import { languages } from './languages/index.js'
import { Meanings } from './languages/matcher.js'
import { isQuoted } from './quotation.js'
import { Elsewhere } from './elsewhere.js'
import { parsePhrase, PhraseIndex } from './phrases.js'

/** In UTF-16 units of the text that was looked at. Plain data. */
export interface FoundRule {
  /** Its place in the families. */
  readonly family: number
  readonly start: number
  readonly end: number
  /** Whether it begins a quotation in a text about something else. */
  readonly quoted: boolean
}

interface RuleMatch {
  readonly family: Family
  readonly start: number
  readonly end: number
  /** Whether it begins a quotation in a text about something else. */
  readonly quoted: boolean
}

/** Matches of a family in one text, of those that are quoted and of the others, behind which no quotation says anything new. */
const most = 100
/** Words, or matches, between two pauses. */
const slice = 256

/** Finds what families of rules know. */
export class Rules {
  private readonly phrases: PhraseIndex<Family>
  private readonly patterns: readonly { readonly family: Family; readonly regex: RegExp }[]
  private readonly elsewhere = new Map<Family, Elsewhere>()
  private readonly meanings?: Meanings<Family>

  constructor(private readonly families: readonly Family[]) {
    this.phrases = new PhraseIndex(
      families.flatMap((family) => family.phrases.map((phrase) => parsePhrase(phrase, family))),
    )
    this.patterns = families.flatMap((family) =>
      (family.patterns ?? []).map((pattern) => ({ family, regex: new RegExp(pattern, `${pattern.flags}g`) })),
    )
    for (const family of families)
      if (family.elsewhere) this.elsewhere.set(family, new Elsewhere(family.elsewhere.phrases, family.elsewhere.unless))
    const meanings = families.flatMap((owner) => (owner.meanings ?? []).map((meaning) => ({ owner, ...meaning })))
    if (meanings.length > 0) this.meanings = new Meanings(languages, meanings)
  }

  async find(text: string, words: readonly Word[], pacer: Pacer): Promise<FoundRule[]> {
    const found: RuleMatch[] = []
    const counts = { plain: new Map<Family, number>(), quoted: new Map<Family, number>() }
    const add = (family: Family, start: number, end: number): void => {
      if ((counts.plain.get(family) ?? 0) >= most) return
      const quoted = isQuoted(text, start, end)
      const counted = quoted ? counts.quoted : counts.plain
      const count = counted.get(family) ?? 0
      counted.set(family, count + 1)
      if (count < most) found.push({ family, start, end, quoted })
    }
    for (let at = 0; at < words.length; at += 1) {
      for (const { owner, last } of this.phrases.at(words, at))
        if (this.elsewhere.get(owner)?.isSo(text, words, at, last) !== true)
          add(owner, words[at]?.start ?? 0, words[last]?.end ?? 0)
      if (at % slice === 0) await pacer.pause()
    }
    for (const [at, { owner, start, end }] of ((await this.meanings?.find(text, pacer)) ?? []).entries()) {
      add(owner, start, end)
      if (at % slice === 0) await pacer.pause()
    }
    for (const { family, regex } of this.patterns) {
      let matches = 0
      for (const { 0: match, index } of text.matchAll(regex)) {
        add(family, index, index + match.length)
        if ((matches += 1) % slice === 0) await pacer.pause()
      }
      await pacer.pause()
    }
    return withoutTranslations(found).map((match) => ({ ...match, family: this.families.indexOf(match.family) }))
  }
}

/** Words of one language are words of others, too: what English says at a place is not told again. */
const withoutTranslations = (found: readonly RuleMatch[]): RuleMatch[] =>
  found.filter(
    ({ family: { translates }, start, end }) =>
      !translates || !found.some((one) => one.family === translates && one.start < end && start < one.end),
  )
