import { cities } from '../words/cities.js'
import { isCommon, isFrequent } from '../words/common-words.js'
import { isFalsePositive } from './false-positives.js'
import type { ModelFinding } from './finding.js'
import { isKnownName } from '../words/names.js'
import { raw } from '../patterns/raw-regex.js'

const name = String.raw`\p{L}[\p{L}\p{M}'’-]{1,30}`
const after = (...leads: readonly string[]) =>
  raw.giu`(?<![\p{L}\p{N}])(?:${leads.join('|')}) {1,2}(?<first>${name})(?: (?<second>${name}))?`

/** Phrases that introduce a name or place in several languages; what follows is one in any case. */
const leads: readonly { readonly type: string; readonly pattern: RegExp; readonly kind?: string }[] = [
  {
    type: 'PERSON',
    pattern: after(
      "(?:my|his|her) name(?: is|['’]s)|name ist|ich hei(?:ß|ss)e|(?:i am|i['’]m|is) called|call me",
      "je m['’]appelle|mon nom est|me llamo|mi nombre es|mi chiamo|il mio nome è|meu nome é|me chamo|ik heet|mijn naam is",
    ),
  },
  {
    type: 'LOCATION',
    kind: 'city',
    pattern: after(
      '(?:live[sd]?|living|reside[sd]?|residing|born|raised|grew up) in|(?:moved|moving|relocated) (?:in)?to',
      "(?:i am|i['’]m|we are|we['’]re|he is|she is|come[s]?|came) from",
      "(?:wohne|wohnt|wohnen|lebe|lebt|leben) in|(?:komme|kommt|kommen) aus|j['’]habite à|habit(?:e|ons|ent) à|je viens de",
      'viv(?:o|e|imos) (?:en|a)|soy de|abit(?:o|a) a|vengo da|mor(?:o|a) em|(?:woon|woont|wonen) in|(?:kom|komt) uit',
    ),
  },
]

const lowerCaseCities = new Set(cities.map((city) => city.toLowerCase()))
/** A city after a preposition, for texts without capitals. */
const cityAfterPreposition = raw.gu`(?<![\p{L}\p{N}])(?:in|to|from|near|at|around|via|visit|visiting|nach|aus|à|vers|en|desde|hacia|a|da|em|naar|uit) (?<first>\p{Ll}[\p{L}\p{M}-]{2,30})(?: (?<second>\p{Ll}[\p{L}\p{M}-]{2,30}))?`

const score = 0.6

/** Finds names by the words before them, as models miss some in short sentences. */
export const namesInContext = (text: string, usesCapitals: boolean): ModelFinding[] => {
  const findings: ModelFinding[] = []
  const add = (finding: ModelFinding) => {
    if (!isFalsePositive(finding, text, usesCapitals)) findings.push(finding)
  }
  for (const { type, pattern, kind } of leads)
    for (const match of text.matchAll(pattern)) {
      const words = namesOf(match, (word) => isNameLike(word, usesCapitals))
      if (words) add({ type, kind, score, ...spanOf(match, words) })
    }
  if (!usesCapitals)
    for (const match of text.matchAll(cityAfterPreposition)) {
      const { first = '', second = '' } = match.groups ?? {}
      const words = [`${first} ${second}`, first].find((name) => lowerCaseCities.has(name))
      if (words) add({ type: 'LOCATION', kind: 'city', score, ...spanOf(match, words) })
    }
  return findings
}

/** One or two words that may be a name; undefined where the first may not. */
const namesOf = ({ groups }: RegExpMatchArray, isName: (word: string) => boolean): string | undefined => {
  const { first = '', second } = groups ?? {}
  if (!isName(first)) return undefined
  return second !== undefined && isName(second) ? `${first} ${second}` : first
}

const isNameLike = (word: string, usesCapitals: boolean): boolean => {
  const lower = word.toLowerCase()
  if (usesCapitals && !/^\p{Lu}/u.test(word)) return false
  return !isFrequent(lower) && (!isCommon(lower) || isKnownName(lower))
}

/** @param words the first group, or both */
const spanOf = ({ 0: whole, index = 0, groups: { first = '', second } = {} }: RegExpMatchArray, words: string) => {
  const start = index + whole.length - (second === undefined ? first : `${first} ${second}`).length
  return { start, end: start + words.length }
}
