import { isName } from './entities.js'
import { isCommon } from '../words/common-words.js'
import { isEponym } from './eponyms.js'
import type { ModelFinding } from './finding.js'
import { isKnownName, isOrdinary } from '../words/names.js'
import { isNonName, isAmbiguousSoftware, isTechnical } from '../words/non-names.js'

/**
 * Whether a model has taken something else for a name: a common word, an identifier of code, software, or something
 * named after a person.
 */
export const isFalsePositive = (finding: ModelFinding, text: string, usesCapitals: boolean): boolean => {
  const { type, start, end, score, kind } = finding
  if (!isName(type)) return false
  const content = text.slice(start, end)
  if (isLiteral(content, text, start, end)) return true
  const possessive = /^['’]s(?!\p{L})/u.exec(text.slice(end, end + 3))?.[0] ?? ''
  if (isNonName(content) || isNonName(content + possessive)) return true
  if (isNumberOfStandard(content, text, start)) return true
  if (type === 'LOCATION' && kind !== undefined && numberKinds.has(kind)) return false
  if (isIdentifier(content, text, start, end)) return true
  if (isAmbiguousSoftware(content) && isTechnical(text)) return true
  if (isNameOfThing(content, text, start, end) || isMonth(content, text, start, end)) return true
  const isLowerCase = !/\p{Lu}|\p{Lo}/u.test(content)
  if (usesCapitals && isLowerCase && ((type === 'PERSON' && score < minSureNameScore) || isOrdinary(content)))
    return true
  return usesCapitals && isEponym(text, finding)
}

/** Whether it is a literal of JSON or code, such as `true`, outside strings. */
const isLiteral = (content: string, text: string, start: number, end: number): boolean =>
  /^(?:true|false|null)$/.test(content) &&
  /(?:^|[:=[(,])\s{0,8}$/.test(text.slice(Math.max(0, start - contextLength), start)) &&
  /^\s{0,8}(?:$|[,;)\]}\n])/.test(text.slice(end, end + contextLength))

/** The minimum score at which a word in lower case counts as a person's name. */
const minSureNameScore = 0.9

const numberKinds: ReadonlySet<string> = new Set(['number', 'zip', 'secondary'])

/**
 * Identifiers of code: `get_name`, `getName`, `user.name`, `x86`, `print(`, `List<`, `$name`, a word between back
 * quotes.
 */
const isIdentifier = (content: string, text: string, start: number, end: number): boolean =>
  !/\s/.test(content) &&
  (/\p{L}\d|\p{Ll}\.\p{Ll}|^\p{Ll}+\p{Lu}|^[\p{Ll}\d]+_|^\p{Lu}{2,}_/u.test(content) ||
    /^(?:\(|<(?!\/))/.test(text.slice(end, end + 2)) ||
    /^_\p{L}/u.test(text.slice(end, end + 2)) ||
    /[\p{L}\d]_$|[$\\]$/u.test(text.slice(Math.max(0, start - 2), start)) ||
    (text[start - 1] === '`' && text[end] === '`'))

/**
 * `"name": "walker", "version": …`, `"chalk": "^5.3.0"`, `class Walker {`, `Cherry-pick`, `"enum":`, `name: web`,
 * `"status": "shipped"`, `"delta":`, `"delta": "is "`
 */
const isNameOfThing = (content: string, text: string, start: number, end: number): boolean => {
  const [before, after] = [text.slice(Math.max(0, start - contextLength), start), text.slice(end, end + contextLength)]
  if (/["']?name["']?\s?[:=]\s?["']$/.test(before) && /^["'],?\s{0,8}["']?version/.test(after)) return true
  if (/(?<!\p{L})name["']?\s?[:=]\s{0,8}["']?$/iu.test(before) && isOrdinary(content)) return true
  if (/^["']?\s?[:=]\s?["'](?:[~^]\d|\d{1,4}\.\d{1,4}\.\d)/.test(after)) return true
  if (/(?<!\p{L})(?:class|struct|interface|trait|enum|extends|implements|instanceof|record) $/u.test(before))
    return /^(?: (?:extends|implements)(?!\p{L})| ?[{<(;])/u.test(after)
  const lower = content.toLowerCase()
  if (/["']$/.test(before) && /^["']\s?:/.test(after))
    return isCommon(lower) && (!isKnownName(lower) || keysThatAreNames.has(content))
  if (/["']\s?:\s?["']$/.test(before) && /^["']/.test(after))
    return content.length <= 2 || (lower === content && isOrdinary(content))
  // The deltas of a stream begin or end with a space.
  if (/["']\s?:\s?["'] ?$/.test(before) && /^ ?["']/.test(after)) return lower === content && isOrdinary(content)
  const [, second = ''] = /^\p{Lu}\p{Ll}+-(\p{Ll}+)$/u.exec(content) ?? []
  return isCommon(second) && !isKnownName(second)
}

/** Keys of JSON that are also names of people. */
const keysThatAreNames: ReadonlySet<string> = new Set(
  'branch case delta field fields key lane lock mark marks page pages park position price state street'.split(' '),
)

const standard = String.raw`(?:DIN|ISO|EN|IEC|IEEE|ANSI|ASTM|JIS|RFC|VDE|[eE]?ISSN|ISBN|PMID|CVE)(?:[ /-](?:EN|ISO|IEC|TS|TR|SPEC|VDE)){0,2}`
const beginsAsStandard = new RegExp(String.raw`^${standard}(?:[ -]|: ?)\d|(?<!\p{L})(?!EN )${standard} \d{1,6}$`, 'u')
const afterStandard = new RegExp(String.raw`(?<!\p{L})${standard}(?:[ -]|: ?)$`, 'u')

/** Whether it is the number of a standard or a publication, such as `DIN 933`, with or without the organisation. */
const isNumberOfStandard = (content: string, text: string, start: number): boolean =>
  beginsAsStandard.test(content) ||
  (/^\d[\d.:-]*$/.test(content) && afterStandard.test(text.slice(Math.max(0, start - contextLength), start)))

const month = /^(?:april|may|june|august)$/
const otherMonth = /(?<!\p{L})(?:january|february|march|july|september|october|november|december)(?!\p{L})/u

/** Whether it is the name of a month in lower case, near other months. */
const isMonth = (content: string, text: string, start: number, end: number): boolean =>
  month.test(content) && otherMonth.test(text.slice(Math.max(0, start - contextLength), end + contextLength))

/** Whether it is a number, such as `12`, `221b` or `12ms`. */
const isNumber = (content: string): boolean => /\p{Nd}/u.test(content) && !/\p{L}{3}/u.test(content)

/** What may part a house number from its street; a comma without a space parts the fields of a row. */
const besideShortNumber = /^(?:,?\s{1,2}|[\s./-]{0,3})$/

/** Whether a number labelled as a location has no other location beside it: house numbers and zip codes do. */
export const isNumberAlone = (
  { type, start, end }: ModelFinding,
  text: string,
  neighbours: readonly (ModelFinding | undefined)[],
): boolean => {
  const content = text.slice(start, end)
  if (type !== 'LOCATION' || !isNumber(content)) return false
  const isBeside = (other?: ModelFinding) =>
    other?.type === 'LOCATION' &&
    !isNumber(text.slice(other.start, other.end)) &&
    (content.length > 3 ? /^[\s,./-]{0,3}$/ : besideShortNumber).test(
      text.slice(Math.min(end, other.end), Math.max(start, other.start)),
    )
  return (
    !neighbours.some(isBeside) &&
    !/^,? \p{Lu}/u.test(text.slice(end)) &&
    !/\p{Lu}[\p{L}-]*,? $/u.test(text.slice(0, start))
  )
}

/** A UUID, or a hexadecimal digest of at least 64 bits. */
const digest = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=[\da-f]*[a-f])[\da-f]{16,128})$/i
const maxDigestLength = 128

/** Whether a finding lies within a UUID or digest. */
export const isInDigest = ({ start, end }: ModelFinding, text: string): boolean => {
  const before = /[\p{L}\p{N}-]*$/u.exec(text.slice(Math.max(0, start - maxDigestLength), start))?.[0] ?? ''
  const after = /^[\p{L}\p{N}-]*/u.exec(text.slice(end, end + maxDigestLength))?.[0] ?? ''
  return digest.test(before + text.slice(start, end) + after)
}

/** Words for personal numbers. */
const personalNumberWords =
  /passport|licen[cs]e|phone|call|telefon|fax|mobile|cell|reach|dial|whatsapp|bank|routing|(?<!\p{L})(?:tel|pin|tin|ssn|dni|nif|nie|vat|ein)(?!\p{L})|identi|account|social|tax|member|policy|insurance|patient|medical|record|national|card|student|employee|badge|customer|ausweis|konto|pasaporte|permis|carnet/giu
/** Words for numbers of things. */
const thingNumberWords =
  /(?<!\p{L})(?:order|tracking|invoice|serial|part|model|version|build|ticket|issue|line|port|page|item|sensor|product|article|batch|lot|flight|room|section|chapter|volume|doi|arxiv|ean|isbn|e?issn|sku|cas|commit|hash|error|code|process|thread|request|trace|session)s?(?!\p{L})/giu
/** Words for numbers of either kind. */
const neutralNumberWords = /number|nummer|número|numéro|(?<!\p{L})(?:id|ids|no|nos|nr)(?!\p{L})/iu
/** How many UTF-16 code units on each side of a finding are read. */
const contextLength = 48

const lastOf = (words: RegExp, before: string): number => [...before.matchAll(words)].at(-1)?.index ?? -1

/** A shortened digest: letters and digits alternate more often than in personal numbers. */
const shortDigest = /^(?=[a-f]{0,16}\d[\da-f]{0,16}[a-f]{1,16}\d|[\da-f]{1,16}[a-f]\d{1,16}[a-f])[\da-f]{6,16}$/

/** Whether a text has a word for personal numbers. */
export const mentionsPersonalNumber = (text: string): boolean => text.search(personalNumberWords) >= 0

/** Whether a number belongs to a thing, or no word before it says that it is personal. */
export const isImpersonalNumber = ({ type, start, end }: ModelFinding, text: string): boolean => {
  const before = text.slice(Math.max(0, start - contextLength), start)
  const [somebody, thing] = [lastOf(personalNumberWords, before), lastOf(thingNumberWords, before)]
  if (thing > somebody) return true
  if (somebody < 0 && shortDigest.test(text.slice(start, end))) return true
  // Telephone numbers are recognised by their form alone.
  return somebody < 0 && type !== 'PHONE_NUMBER' && !neutralNumberWords.test(before)
}
