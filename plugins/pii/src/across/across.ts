/** Finds personal information that is split over neighbouring values. */

import { plainReading, positionOf } from '@sallyport/kit/views'
import type { Span, View } from '@sallyport/kit/views'
import type { Finding } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import { splitForms } from './split-forms.js'
import type { SplitForm } from './split-forms.js'

interface NamedValue {
  readonly text: string
  readonly name?: string | undefined
}

/** The maximum number of values that a finding is split over. */
const maxValues = 4
/** The maximum length of joined values in UTF-16 code units. */
const maxLength = 512
/** The score of a finding: a checksum confirms it, or hardly anything else has its form. */
const score = 0.9
/** UTF-16 code units before a match in which context words count. */
const contextLength = 64
/** The number of values between two pauses. */
const pauseInterval = 64

/** A form with patterns for the run of its characters at the end and at the beginning of a text. */
interface CompiledForm extends SplitForm {
  readonly tail: RegExp
  readonly head: RegExp
}

const forms: readonly CompiledForm[] = splitForms.map((form) => ({
  ...form,
  // The lookbehind reads backwards from the end. A search from the left would take quadratic time.
  tail: new RegExp(`$(?<=(${form.characters}{0,${maxLength}}))`, 'u'),
  head: new RegExp(`^${form.characters}{0,${maxLength}}`, 'u'),
}))

/** Joined neighbouring values: a match begins in the first and ends in the last. */
interface JoinedValues {
  readonly text: string
  /** Where it begins in all values joined. */
  readonly offset: number
  /** The ends of all values but the last. */
  readonly cuts: readonly number[]
  /** The first value, and the offset in it where the joined text begins. */
  readonly value: NamedValue | undefined
  readonly start: number
}

/** @returns findings whose spans refer to the concatenation of all values */
export const findAcross = async (
  values: readonly NamedValue[],
  ignored: ReadonlySet<string>,
  pacer: Pacer,
): Promise<Finding[]> => {
  const whole = values.map(({ text }) => text).join('')
  const reading = await plainReading(whole, pacer)
  const present = forms.filter((form) => !ignored.has(form.entity) && mayContain(reading.text, values, form))
  if (!present.length) return []
  const plain = reading.text === whole ? values : plainValues(values, reading)
  const findings: Finding[] = []
  let end = 0
  for (const [first, { text }] of plain.entries()) {
    end += text.length
    for (const form of present) append(findings, findingsFrom(plain, first, end, form))
    if (first % pauseInterval === 0) await pacer.pause()
  }
  return withoutWiderFindings(findings, plain).map((finding) => ({ ...finding, ...reading.sourceOf(finding) }))
}

/**
 * Drops a finding that contains a shorter one of its type if both ends of the shorter one coincide with it or with ends
 * of values: the wider one has taken in a neighbouring value.
 */
const withoutWiderFindings = (findings: readonly Finding[], values: readonly NamedValue[]): readonly Finding[] => {
  if (findings.length < 2) return findings
  let end = 0
  const cuts = new Set([0, ...values.map(({ text }) => (end += text.length))])
  const kept: Finding[] = []
  for (const one of findings.toSorted((a, b) => a.end - a.start - (b.end - b.start))) {
    const isWider = kept.some(
      ({ type, start, end: to }) =>
        type === one.type &&
        (start === one.start || (start > one.start && cuts.has(start))) &&
        (to === one.end || (to < one.end && cuts.has(to))),
    )
    if (!isWider) kept.push(one)
  }
  return kept
}

/** Whether joined values may contain a match of a form. */
const mayContain = (whole: string, values: readonly NamedValue[], { signature, contextWords }: SplitForm): boolean =>
  signature.test(whole) && (!contextWords || contextWords.test(whole) || contextWords.test(namesOf(values)))

const namesOf = (values: readonly NamedValue[]): string =>
  Array.from(new Set(values.map(({ name }) => name)), inWords).join(' ')

/** `creditCard` and `card_number` in words. */
const inWords = (name = ''): string =>
  name.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ').replace(/[^\p{L}\p{N}]+|\p{N}+$/gu, ' ')

/** The plain readings of the values, without empty ones. */
const plainValues = (values: readonly NamedValue[], reading: View): readonly NamedValue[] => {
  let [end, at] = [0, 0]
  const plain = values.map(({ text, name }) => {
    const start = at
    end += text.length
    at = positionOf(reading, end)
    return { name, text: reading.text.slice(start, at) }
  })
  return plain.filter(({ text }) => text)
}

/** @param end where the first value ends in all values joined */
const findingsFrom = (values: readonly NamedValue[], first: number, end: number, form: CompiledForm): Finding[] => {
  const [text, next] = [textAt(values, first), textAt(values, first + 1)]
  const maySpan = tailOf(form, text.slice(-1)) > 0 && headOf(form, next.slice(0, 1)) > 0
  return maySpan ? joinedFrom(values, first, end, form).flatMap((joined) => findingsIn(joined, form)) : []
}

const joinedFrom = (values: readonly NamedValue[], first: number, end: number, form: CompiledForm): JoinedValues[] => {
  const result: JoinedValues[] = []
  const cuts: number[] = []
  const whole = textAt(values, first)
  const start = Math.max(0, whole.length - tailOf(form, whole) - 1)
  let text = whole.slice(start)
  const offset = end - text.length
  for (let at = first + 1; at < Math.min(values.length, first + maxValues); at += 1) {
    const other = textAt(values, at)
    const head = headOf(form, other)
    if (!head || text.length + head > maxLength) break
    cuts.push(text.length)
    if (text.length + head >= form.minLength)
      result.push({ text: text + other.slice(0, head + 1), offset, cuts: [...cuts], value: values[first], start })
    if (head < other.length) break
    text += other
  }
  return result
}

const textAt = (values: readonly NamedValue[], at: number): string => values[at]?.text ?? ''

const findingsIn = (joined: JoinedValues, form: CompiledForm): Finding[] => {
  const { text, offset, cuts } = joined
  const [firstCut = 0, lastCut = 0] = [cuts[0], cuts.at(-1)]
  const findings: Finding[] = []
  let matchesInValues: readonly Span[] | undefined
  for (const { start, end } of matchesIn(text, form)) {
    if (start >= firstCut || end <= lastCut) continue
    const parts = [...cuts, end].map((to, at) => text.slice(at ? cuts[at - 1] : start, to))
    const match = { text: text.slice(start, end), parts, before: beforeIn(joined, start) }
    if (form.areParts?.(match) === false) continue
    matchesInValues ??= matchesWithinValues(joined, form)
    if (!matchesInValues.some((one) => one.start < end && start < one.end))
      findings.push({ type: form.entity, start: offset + start, end: offset + end, score })
  }
  return findings
}

const beforeIn = ({ value, start, text }: JoinedValues, position: number): string =>
  `${inWords(value?.name)} ${value?.text.slice(Math.max(0, start - contextLength), start) ?? ''}${text.slice(0, position)}`

/** All valid matches; they may overlap. */
function* matchesIn(text: string, { regex, validPrefixLength, validate }: CompiledForm): Generator<Span> {
  for (let from = 0; ;) {
    regex.lastIndex = from
    const found = regex.exec(text)
    if (!found) return
    const { 0: match, index: start } = found
    const end = start + (validPrefixLength ? (validPrefixLength(match) ?? 0) : match.length)
    if (end > start && validate(text.slice(start, end))) yield { start, end }
    from = start + 1
  }
}

/**
 * The matches within single values. A match across values that overlaps one of them only joins a part of it
 * with a neighbour.
 */
const matchesWithinValues = ({ text, cuts }: JoinedValues, form: CompiledForm): Span[] =>
  [0, ...cuts].flatMap((from, at) => {
    let last = 0
    const matches = [...matchesIn(text.slice(from, cuts[at]), form)].filter(({ start, end }) => {
      if (start < last) return false
      last = end
      return true
    })
    return matches.map(({ start, end }) => ({ start: from + start, end: from + end }))
  })

/** The length of the run of a form's characters at the end of a text. */
const tailOf = ({ tail }: CompiledForm, text: string): number => tail.exec(text.slice(-maxLength))?.[1]?.length ?? 0

/** The length of the run of a form's characters at the beginning of a text. */
const headOf = ({ head }: CompiledForm, text: string): number => head.exec(text.slice(0, maxLength))?.[0].length ?? 0
