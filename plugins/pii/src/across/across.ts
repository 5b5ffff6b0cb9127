/** What several values say together that stand beside each other, and none of them says by itself. */

import { plainReading, positionOf } from '@sallyport/kit/views'
import type { Span, View } from '@sallyport/kit/views'
import type { Finding } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'
import { splitForms } from './split-forms.js'
import type { SplitForm } from './split-forms.js'

interface NamedValue {
  readonly text: string
  readonly name?: string
}

/** Values that one finding may be split over. */
const maxValues = 4
/** UTF-16 units that are read of them together. */
const maxLength = 512
/** The score of a finding: a checksum confirms it, or hardly anything else has its form. */
const score = 0.9
/** UTF-16 units before a match that tell what it is. */
const contextLength = 64
/** Values between two pauses. */
const valuesAtOnce = 64

/** A form that is ready to search: where what is made of its characters begins at the end of a text, and ends. */
interface CompiledForm extends SplitForm {
  readonly tail: RegExp
  readonly head: RegExp
}

const forms: readonly CompiledForm[] = splitForms.map((form) => ({
  ...form,
  // The end is found first, and read backwards from there: from each place before it, all would be read anew.
  tail: new RegExp(`$(?<=(${form.characters}{0,${maxLength}}))`, 'u'),
  head: new RegExp(`^${form.characters}{0,${maxLength}}`, 'u'),
}))

/** Neighbours as they are read together: all of those between the first and the last are part of what is looked for. */
interface Window {
  readonly text: string
  /** Where the window begins in all values joined. */
  readonly offset: number
  /** Where values end in it, but for the last. */
  readonly cuts: readonly number[]
  /** The first, and where the window begins in it. */
  readonly value: NamedValue | undefined
  readonly start: number
}

/** Spans of all values joined. */
export const findAcross = async (
  values: readonly NamedValue[],
  ignored: ReadonlySet<string>,
  pacer: Pacer,
): Promise<Finding[]> => {
  const whole = values.map(({ text }) => text).join('')
  const reading = await plainReading(whole, pacer)
  const present = forms.filter((form) => !ignored.has(form.entity) && mayHold(reading.text, values, form))
  if (!present.length) return []
  const read = reading.text === whole ? values : inReading(values, reading)
  const found: Finding[] = []
  let end = 0
  for (const [first, { text }] of read.entries()) {
    end += text.length
    for (const form of present) for (const finding of findingsFrom(read, first, end, form)) found.push(finding)
    if (first % valuesAtOnce === 0) await pacer.pause()
  }
  const own = withoutOthers(found, read)
  return own.map((finding) => ({ ...finding, ...reading.sourceOf(finding) }))
}

/**
 * Where one finding lies inside another and they begin and end together or where values do, only the shorter one is kept:
 * the longer one has taken in a value that stands beside it.
 */
const withoutOthers = (found: readonly Finding[], values: readonly NamedValue[]): readonly Finding[] => {
  if (found.length < 2) return found
  let end = 0
  const cuts = new Set([0, ...values.map(({ text }) => (end += text.length))])
  const kept: Finding[] = []
  for (const one of found.toSorted((a, b) => a.end - a.start - (b.end - b.start))) {
    const isMore = kept.some(
      ({ type, start, end: to }) =>
        type === one.type &&
        (start === one.start || (start > one.start && cuts.has(start))) &&
        (to === one.end || (to < one.end && cuts.has(to))),
    )
    if (!isMore) kept.push(one)
  }
  return kept
}

/** Whether values joined may hold what is of a form. */
const mayHold = (whole: string, values: readonly NamedValue[], { sign, named }: SplitForm): boolean =>
  sign.test(whole) && (!named || named.test(whole) || named.test(namesOf(values)))

const namesOf = (values: readonly NamedValue[]): string =>
  Array.from(new Set(values.map(({ name }) => name)), wordsOf).join(' ')

/** `creditCard` and `card_number` in words. */
const wordsOf = (name = ''): string =>
  name.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ').replace(/[^\p{L}\p{N}]+|\p{N}+$/gu, ' ')

/** The values as patterns read them, without those that show nothing. */
const inReading = (values: readonly NamedValue[], reading: View): readonly NamedValue[] => {
  let [end, at] = [0, 0]
  const read = values.map(({ text: { length }, ...value }) => {
    const start = at
    end += length
    at = positionOf(reading, end)
    return { ...value, text: reading.text.slice(start, at) }
  })
  return read.filter((value) => value.text)
}

/** @param end of the first value in all of them joined */
const findingsFrom = (values: readonly NamedValue[], first: number, end: number, form: CompiledForm): Finding[] => {
  const [value, next] = [values[first], values[first + 1]]
  const isSeam = value && next && tailOf(form, value.text.slice(-1)) > 0 && headOf(form, next.text.slice(0, 1)) > 0
  return isSeam ? windowsFrom(values, first, end, form).flatMap((window) => findingsIn(window, form)) : []
}

const windowsFrom = (values: readonly NamedValue[], first: number, end: number, form: CompiledForm): Window[] => {
  const windows: Window[] = []
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
    const isLong = text.length + head >= form.minLength
    if (isLong)
      windows.push({ text: text + other.slice(0, head + 1), offset, cuts: [...cuts], value: values[first], start })
    if (head < other.length) break
    text += other
  }
  return windows
}

const textAt = (values: readonly NamedValue[], at: number): string => values[at]?.text ?? ''

const findingsIn = (window: Window, form: CompiledForm): Finding[] => {
  const { text, offset, cuts } = window
  const [firstCut = 0, lastCut = 0] = [cuts[0], cuts.at(-1)]
  const findings: Finding[] = []
  let own: readonly Span[] | undefined
  for (const { start, end } of matchesIn(text, form)) {
    if (start >= firstCut || end <= lastCut) continue
    const parts = [...cuts, end].map((to, at) => text.slice(at ? cuts[at - 1] : start, to))
    const match = { text: text.slice(start, end), parts, before: beforeIn(window, start) }
    if (form.areParts?.(match) === false) continue
    own ??= ownMatches(window, form)
    if (!own.some((one) => one.start < end && start < one.end))
      findings.push({ type: form.entity, start: offset + start, end: offset + end, score })
  }
  return findings
}

const beforeIn = ({ value, start, text }: Window, position: number): string =>
  `${wordsOf(value?.name)} ${value?.text.slice(Math.max(0, start - contextLength), start) ?? ''}${text.slice(0, position)}`

/** Matches may lie inside each other. */
function* matchesIn(text: string, { regex, within, validate }: CompiledForm): Generator<Span> {
  for (let from = 0; ;) {
    regex.lastIndex = from
    const found = regex.exec(text)
    if (!found) return
    const { 0: match, index: start } = found
    const end = start + (within ? (within(match) ?? 0) : match.length)
    if (end > start && validate(text.slice(start, end))) yield { start, end }
    from = start + 1
  }
}

/**
 * What each value of a window has by itself, one behind the other: what a part of that makes up with a neighbour is
 * something else.
 */
const ownMatches = ({ text, cuts }: Window, form: CompiledForm): Span[] =>
  [0, ...cuts].flatMap((from, at) => {
    let end = 0
    return [...matchesIn(text.slice(from, cuts[at]), form)].flatMap((match) => {
      if (match.start < end) return []
      end = match.end
      return [{ start: from + match.start, end: from + match.end }]
    })
  })

/** Units at the end of a text that are made of a form's characters. */
const tailOf = ({ tail }: CompiledForm, text: string): number => tail.exec(text.slice(-maxLength))?.[1]?.length ?? 0

/** Units at its beginning that are. */
const headOf = ({ head }: CompiledForm, text: string): number => head.exec(text.slice(0, maxLength))?.[0].length ?? 0
