import type { ClassifiedSpan } from '@sallyport/core'
import type { Span } from '@sallyport/kit/views'
import { isCountry } from '../words/countries.js'
import { particles } from '../words/names.js'
import { isName, wordEntities } from './entities.js'
import { unspacedScripts } from '../patterns/boundaries.js'
import { raw } from '../patterns/raw-regex.js'
import { plainLabel } from './labels.js'
import type { LabelMeaning, LabelMeanings } from './labels.js'
import { isFalsePositive, isNumberAlone, isImpersonalNumber, isInDigest } from './false-positives.js'
import type { ModelFinding } from './finding.js'

/** Spans of a model with a lower score are dropped. */
const minScore = 0.3

export const modelFindings = (
  spans: readonly ClassifiedSpan[],
  text: string,
  labels: LabelMeanings,
): ModelFinding[] => {
  const findings: ModelFinding[] = []
  const usesCapitals = isCased(text)
  for (const span of spans.flatMap((whole) => spansByLine(whole, text))) {
    const meaning = labels.get(plainLabel(span.label))
    if (!meaning || !(span.score >= minScore)) continue
    const finding = findingOf(
      usesCapitals && meaning.entity === 'PERSON' ? capitalised(span, text) : span,
      meaning,
      text,
    )
    if (!finding || isFalsePositive(finding, text, usesCapitals)) continue
    if ((meaning.number || wordEntities.includes(finding.type)) && isInDigest(finding, text)) continue
    if (meaning.number && isImpersonalNumber(finding, text)) continue
    const last = findings.at(-1)
    if (last && isOneName(last, finding, text))
      findings[findings.length - 1] = { ...last, end: finding.end, score: Math.max(last.score, finding.score) }
    else findings.push(finding)
  }
  return findings.filter((finding, index) => !isNumberAlone(finding, text, [findings[index - 1], findings[index + 1]]))
}

/** Splits a span at line ends: only addresses continue in the next line, and their parts are joined later. */
const spansByLine = ({ start, end, ...rest }: ClassifiedSpan, text: string): ClassifiedSpan[] =>
  [...text.slice(start, end).matchAll(/[^\s](?:[^\n]{0,1000}[^\s])?/gu)].map(({ 0: line, index }) => ({
    ...rest,
    start: start + index,
    end: start + index + line.length,
  }))

/** Whether a text uses capitals. */
export const isCased = (text: string): boolean => /\p{Lu}\p{Ll}/u.test(text)

const otherWord = String.raw`(?!(?:${particles})(?!\p{L}))\p{Ll}[\p{L}'’-]{0,30}`
const otherWordsBefore = raw.u`^(?:${otherWord} {1,2}){1,6}(?=\S{0,30}\p{Lu})`
/** A full stop ends a sentence where it does not abbreviate. */
const otherWordsAfter = raw.u`(?<=\p{Lu}.{0,200})(?:(?<=\p{L}{2})(?<! [JS]r)\.|(?: {1,2}${otherWord}){1,6}\.?)$`

/** A span of a name without words in lower case around it, which models take for parts: `Abby Sørensen flew`. */
const capitalised = (span: ClassifiedSpan, text: string): ClassifiedSpan => {
  const content = text.slice(span.start, span.end)
  const lead = otherWordsBefore.exec(content)?.[0].length ?? 0
  return { ...span, start: span.start + lead, end: span.end - (otherWordsAfter.exec(content)?.[0].length ?? 0) }
}

/** Whether two findings are parts of one name: given names, initials and surnames side by side. */
const isOneName = (one: ModelFinding, other: ModelFinding, text: string): boolean =>
  one.type === 'PERSON' &&
  other.type === 'PERSON' &&
  /^(?:[ \t]?|-|['’]| \p{Lu}\. )$/u.test(text.slice(one.end, other.start))

/** The finding of a span, widened to whole words; undefined where it cannot be of its type. */
const findingOf = (span: ClassifiedSpan, meaning: LabelMeaning, text: string): ModelFinding | undefined => {
  const { entity: type, kind, number } = meaning
  const { start, end } = number || type === 'PERSON' ? withoutParticles(span, text) : span
  const content = text.slice(start, end)
  const finding = { type, kind, isPersonalNumber: number, start, end, score: scale(span.score) }
  if (isName(type)) {
    if (kind !== 'number' && kind !== 'zip' && kind !== 'secondary' && !/\p{L}{2}|\p{Lu}/u.test(content))
      return undefined
    if (!/\p{L}/u.test(content)) finding.score = Math.min(maxNumberScore, finding.score)
    if (type === 'PERSON' && (/\p{Nd}/u.test(content) || isTitleOrCountry(content))) return undefined
    // Models label countries as towns, and neighbouring towns would not be joined.
    if (type === 'LOCATION' && isCountry(content)) finding.kind = 'country'
    return { ...finding, ...wholeWords(start, end, text) }
  }
  if (!number) return finding
  if (type === 'ID' && /^\d{3}-\d{2}-\d{4}$/.test(content)) return { ...finding, type: 'US_SSN' }
  if (content.replace(/\P{Nd}/gu, '').length < minDigits) return undefined
  return { ...finding, score: Math.min(maxNumberScore, finding.score) }
}

const titles = /^(?:mr|mrs|ms|miss|mx|dr|prof|sir|madam|name|address|phone|email|dear|hello|hi|jr|sr|md|phd)\.?$/iu

const isTitleOrCountry = (content: string): boolean => titles.test(content) || isCountry(content)

const minDigits = 5

/** The maximum score of a number, as patterns know more about numbers than models do. */
const maxNumberScore = 0.55

/** Maps scores from the minimum to 1 onto those from 0.5 to 1. */
const scale = (score: number) => Math.min(1, 0.5 + (0.5 * (score - minScore)) / (1 - minScore))

const unspacedLead = raw.u`^(?=${unspacedScripts})[^\p{Script=Latin}\p{N}+(]+(?=[+(]?[\p{Script=Latin}\p{N}])`
const unspacedTrail = raw.u`(?<=[\p{Script=Latin}\p{N}][).]?)${unspacedScripts}[^\p{Script=Latin}\p{N}]*$`

/** Trims words in scripts without spaces from both ends of names and numbers in Latin letters and digits. */
const withoutParticles = ({ start, end }: ClassifiedSpan, text: string): Span => {
  const content = text.slice(start, end)
  const lead = unspacedLead.exec(content)?.[0] ?? ''
  const rest = unspacedTrail.exec(content.slice(lead.length))?.[0] ?? ''
  return { start: start + lead.length, end: end - rest.length }
}

const inWord = String.raw`(?!${unspacedScripts})[\p{L}\p{M}\p{N}]`
const wordBefore = new RegExp(`${inWord}(?:${inWord}|['’-](?=[\\p{L}\\p{M}\\p{N}'’-])){0,30}$`, 'u')
const wordAfter = new RegExp(`^(?:${inWord}|[-'’](?=${inWord})){0,32}`, 'u')
/** The rest of a Korean word: unlike in other unspaced scripts, spaces separate words. */
const hangulAfter = /^\p{scx=Hang}{0,32}/u

/** Widens a span to whole words, as models split words at hyphens and apostrophes. */
const wholeWords = (start: number, end: number, text: string): Span => {
  const before = wordBefore.exec(text.slice(Math.max(0, start - 32), start))
  const after = (/\p{scx=Hang}/u.test(text.charAt(end - 1)) ? hangulAfter : wordAfter).exec(text.slice(end, end + 33))
  const to = end + (after?.[0].length ?? 0)
  const possessive = /['’]s$/iu.exec(text.slice(start, to))
  return {
    start: start - (followsLetter(text, start) ? (before?.[0].length ?? 0) : 0),
    end: to - (possessive?.[0].length ?? 0),
  }
}

const followsLetter = (text: string, start: number) =>
  /[\p{L}\p{M}\p{N}]$/u.test(text.slice(Math.max(0, start - 2), start))
