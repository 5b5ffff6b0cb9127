import { eitherCase, wordTrie } from '../patterns/words.js'
import { cities } from '../words/cities.js'
import { isCountry } from '../words/countries.js'
import { wordsOf } from '../words/lists.js'
import { isOrdinary, standaloneGivenNames } from '../words/names.js'
import { isNonName } from '../words/non-names.js'
import type { Span } from '@sallyport/kit/views'
import type { Pattern, Recognizer } from './recognizer.js'
import data from './organization.json' with { type: 'json' }

/** Legal forms of companies: the words before are the name of one. */
const legalForms = wordsOf(data.legalForms)
/** Kinds of organisations that follow a name. */
const kindsAfterName = wordsOf(data.kinds)
/** Trades: organisations where the rest has a word that is a name, unlike `Web Design`. */
const tradesAfterName = wordsOf(data.trades)
/** Kinds of organisations that precede a name: `University of …`. */
const kindsBeforeName = wordsOf(data.kindsOf)
/** Words that may have a capital before a name without being part of it; in lower case. */
const leadingWords: ReadonlySet<string> = new Set(wordsOf(data.leadingWords))
/** Words that are not a name before a kind: `High School`, `Covered Software`, `Working Group`. */
const genericWords: ReadonlySet<string> = new Set(wordsOf(data.genericWords))

/** A word of a name. It may contain dots, but not end with one, which ends a sentence. */
const word = String.raw`(?:\p{Lu}(?:[\p{L}\p{M}\d&'’+-]|\.(?=[\p{L}\d])){0,30}|\d{1,3}(?:\p{L}|-\p{L})[\p{L}\d-]{0,20})`
const initials = String.raw`(?:(?:\p{Lu}\. ?){1,3})?`
const joined = String.raw`(?: (?:(?:&|\+|de|du|y|et|und|e) )?${word})`
const sons = String.raw`(?: (?:&|and|und|et|y|e) (?:Sons?|Daughters?|Brothers|Bros|Co|Company|Partners|Associates|Söhne|Fils|Hijos|Figli)(?![\p{L}]))`
const legal = wordTrie(legalForms)
/** The full stop of an abbreviation where the sentence goes on. */
const stop = String.raw`(?:\.(?=,| ?\p{Ll}))?`
const form = String.raw`(?:,? (?:${legal})${stop})`
const named = String.raw`${initials}${word}(?: (?:(?:of|and|the|for|de|du|&|\+|-) ){0,2}${word}){0,3}`
/** A name that ends before `and`, as another may follow. */
const single = String.raw`${initials}${word}(?: (?:(?:of|&|\+|de|du) )?${word}){0,3}`
const several = String.raw`(?:(?:, ${word}){1,2},? and ${word}|${form})?`

const pattern = (body: string, score: number): Pattern => ({
  regex: new RegExp(String.raw`(?<![\p{L}\p{N}])${body}(?![\p{L}\p{N}])`, 'u'),
  score,
})

const after = (lead: string, score: number): Pattern =>
  pattern(String.raw`(?<lead>(?:${lead}) (?:the )?)${named}${several}`, score)

const before = (trail: string, score: number): Pattern =>
  pattern(String.raw`${word}${joined}{0,3}(?<trail>${trail})`, score)

const people = String.raw`(?:I|[Hh]e|[Ss]he|[Ww]e|[Tt]hey|[Yy]ou|[Ww]ho|(?!It|This|That|These|Those|What|Which)\p{Lu}\p{Ll}{1,20}|'ve|'m|[Hh]ave|[Hh]as|[Hh]ad|been|am|is|was|are|were|to|currently|now|also|previously|formerly)`
const work = String.raw`(?:work(?:s|ed|ing)?|intern(?:s|ed|ing)?|consult(?:s|ed|ing)?)`
const staff = String.raw`(?:CEO|CTO|CFO|COO|VP|[Ff]ounder|[Cc]o-founder|[Cc]hair(?:man|woman|person)|[Pp]resident|[Dd]irector|[Ee]mployees?|[Ss]hareholders?|[Ii]nvestors?|[Cc]ustomers?|[Cc]lients?|[Ss]ubsidiary|[Hh]eadquarters|[Ss]pokes(?:man|woman|person)|[Rr]epresentative)`
const company = String.raw`(?:[Cc]ompany|[Ff]irm|[Ss]tart-?up|[Ee]mployer|[Oo]rgani[sz]ation|[Cc]orporation|[Nn]onprofit|[Cc]harity|[Mm]anufacturer|[Rr]etailer|[Vv]endor|[Ii]nsurer)`

export const organization: Recognizer = {
  entity: 'ORGANIZATION',
  patterns: [
    pattern(String.raw`${initials}${word}${joined}{0,3}${sons}?${form}${form}?`, 0.75),
    pattern(String.raw`${initials}${word}(?:, ${word})?${sons}`, 0.65),
    pattern(String.raw`${initials}${word}${joined}{0,3} (?:${wordTrie(kindsAfterName)})${form}?`, 0.65),
    pattern(
      String.raw`(?:\p{Lu}[\p{L}'’-]{1,20} )?(?:${wordTrie(kindsBeforeName)}) (?:of|de|di|du|des|für|van) (?:(?:the|la|las|los|les) )?${word}(?: (?:(?:of|and|the|for|de|&) ){0,2}${word}){0,2}${form}?`,
      0.7,
    ),
    pattern(String.raw`${initials}${word}${joined}{0,3} (?:${wordTrie(tradesAfterName)})${form}?(?! \p{Lu})`, 0.62),
    after(
      String.raw`${work} at|${people} ${work} for|(?:[Ii]ntern|[Cc]onsult)(?:s|ed|ing)? for|(?:I|[Hh]e|[Ss]he|[Ww]ho)(?:['’]m| am| is| was|['’]s)? [^.\n]{1,40} and works? for`,
      0.65,
    ),
    after(
      String.raw`[Ee]mployed (?:at|by|with)|(?:[Hh]ired|[Rr]ecruited|[Aa]cquired) by|(?:[Jj]ob|[Ii]nternship|[Cc]areer|[Pp]osition|[Ii]nterview) (?:at|with)|(?:[Ee]ngineer|[Dd]eveloper|[Mm]anager|[Aa]nalyst|[Cc]onsultant|[Aa]ccountant|[Rr]esearcher) (?:at|from)|[Bb]ehalf of|[Ss]take in|[Ss]hares (?:of|in)|[Gg]raduated from`,
      0.6,
    ),
    after(String.raw`${staff} (?:of|at|for|from)`, 0.6),
    after(String.raw`${company}(?: called| named| is|,|:)?`, 0.6),
    before(
      String.raw`,? (?:is|was) (?:an? )(?:[\p{L}-]{1,20} ){0,2}(?:company|corporation|firm|startup|nonprofit|non-profit|charity|501\(c\)3|manufacturer|retailer|supplier|provider|bank)`,
      0.65,
    ),
    before(
      String.raw` (?:CEO|CTO|CFO|headquarters|shareholders|employees|board of directors|spokes(?:man|woman|person)|customer (?:service|support))`,
      0.55,
    ),
    before(String.raw` \((?:NASDAQ|Nasdaq|NYSE|LSE|FWB|TSE): ?[A-Z\d.]{1,8}\)`, 0.8),
  ],
  within: (match) => nameIn(match),
  invalidInContext: false,
  ...data.recognizer,
}

const { context } = data

/** Names beside words that are about organisations more often than about anybody or anything else. */
export const organizationInContext: Recognizer = {
  entity: 'ORGANIZATION',
  patterns: [
    after(String.raw`(?:${eitherCase(context.at)})(?: of \p{Lu}[\p{L} .'’-]{1,40}?)? at`, 0.6),
    pattern(
      String.raw`(?<lead>(?:${eitherCase(context.labels)})(?: [Nn]ame)?["']?\s?[:=] {0,8}["']?)${named}${several}`,
      0.65,
    ),
    pattern(String.raw`(?<lead>[Mm]erger (?:of|between|with) )${single}`, 0.7),
    pattern(String.raw`(?<lead>[Mm]erger (?:of|between) ${single} and )${single}`, 0.7),
    pattern(
      String.raw`(?<lead>(?:${eitherCase(context.joined)}) )${single}(?=[.,;?!)]| (?:${context.afterJoined})(?!\p{L}))`,
      0.6,
    ),
    pattern(String.raw`(?<lead>(?:${eitherCase(context.papers)})s? (?:to|from|with|against|by|of) )${single}`, 0.5),
    pattern(String.raw`(?<lead>[Ff]ormer )${single}(?<trail> (?:${context.posts}))`, 0.65),
    before(String.raw` (?:${context.holdings})`, 0.6),
    before(String.raw` (?:${context.deeds})`, 0.6),
    before(String.raw` (?:has )?announced`, 0.5),
  ],
  within: (match) => unusualNameIn(match),
  invalidInContext: false,
  ...data.inContext,
}

const kindWords: ReadonlySet<string> = new Set([...kindsAfterName, ...legalForms].map((one) => one.toLowerCase()))
const legalEnd = new RegExp(String.raw`[ ,](?:${legal})\.?$`, 'u')

/** The name in a match without leading words; undefined where nothing of it is left. */
const nameIn = (match: string): Span | undefined => {
  let start = 0
  for (const part of match.split(' ')) {
    if (!isLeading(part)) break
    start += part.length + 1
  }
  const name = match.slice(start)
  const words = name.split(' ').map((part) => part.toLowerCase().replace(/[.,]$/, ''))
  const distinctive = words.filter((part) => part && !kindWords.has(part) && !leadingWords.has(part))
  const last = words.at(-1) ?? ''
  if (trades.has(last) && !words.slice(0, -1).some(isUnusual)) return undefined
  if (distinctive.length === 0 || (distinctive.every((part) => genericWords.has(part)) && !legalEnd.test(name)))
    return undefined
  return { start, end: match.length - (/['’]s?$/.exec(match)?.[0].length ?? 0) }
}

const trades: ReadonlySet<string> = new Set(tradesAfterName.map((one) => one.toLowerCase()))

/** Whether a word is no common word, country, city or software. */
const isUnusual = (word: string): boolean =>
  !isOrdinary(word) && !isNonName(word) && !isCountry(word) && !places.has(word)

const places: ReadonlySet<string> = new Set(cities.map((city) => city.toLowerCase()))

/** As {@link nameIn}, for what stands beside other words, too: no single word, given name, city or software. */
const unusualNameIn = (match: string): Span | undefined => {
  const span = nameIn(match)
  const word = match.slice(span?.start, span?.end).toLowerCase()
  return word.includes(' ') || (isUnusual(word) && !/^\d\d/.test(word) && !standaloneGivenNames.has(word))
    ? span
    : undefined
}

const isLeading = (part: string): boolean => leadingWords.has(part.toLowerCase().replace(/,$/, ''))
