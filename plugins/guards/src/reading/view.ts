import { inOriginal } from '@sallyport/kit/views'
import type { PlainReading } from '@sallyport/kit/views'

/** One way to read a text: what detectors look at, and where it stands in the original. */
export interface View {
  readonly text: string
  /** The span of the original that a span of this text stands for, in UTF-16 units. */
  readonly place: (start: number, end: number) => Span
  /** Whether it was hidden in the text; else it is the text as it was written. */
  readonly hidden: boolean
  /** Whether rules and n-grams are enough: a text may be made to have many such views, and a model takes its time. */
  readonly light?: boolean
  /** Whether rules alone look at it: heads take letters that stand alone for attacks, whatever they spell. */
  readonly spelled?: boolean
  /** Where it was made of another one: what it has of that. */
  readonly copied?: Copied
}

/** What a view has of the one that it was made of, as it stands there. */
export interface Copied {
  readonly from: View
  /** Whether all of a span of the view is so. */
  readonly holds: (start: number, end: number) => boolean
  /** Whether all of a span of the other one is in the view. */
  readonly has: (start: number, end: number) => boolean
}

export interface Span {
  readonly start: number
  readonly end: number
}

/** A text that is read as it stands. */
export const asWritten = (text: string): View => ({
  text,
  place: (start, end) => ({ start, end }),
  hidden: false,
})

export const plainView = (reading: PlainReading): View => ({
  text: reading.text,
  place: (start, end) => inOriginal(reading, start, end),
  hidden: false,
})
