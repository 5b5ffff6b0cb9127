/** Cuts a text into segments while it grows: the same ones, however it arrives. */

import { failure } from '@sallyport/core'
import type { Span } from '@sallyport/kit/views'
import { endsAtBoundary, lastBoundary, nextBoundary, minSentence } from './boundaries.js'

/** A part of a text that is checked for itself. */
export interface Segment extends Span {
  readonly text: string
  /** What stands before it: context, which is not inspected itself. */
  readonly before: string
}

/** Spans of a text in which it must not be cut, whatever follows it. */
export type OpenSpans = (text: string) => Promise<readonly Span[]>

/** In characters. */
export interface SegmentSize {
  /** What is shorter stays with the next sentence. */
  readonly min: number
  /** A longer segment is cut between any two words, and for want of them between any two characters. */
  readonly max: number
  /** What can be cut nowhere is given up when it is longer. */
  readonly maxUncut: number
}

/**
 * For what is read while it is generated. A private key is held until its end, which stands within 16,384 characters:
 * invisible ones are not counted.
 */
export const streamedSegment: SegmentSize = { min: minSentence, max: 512, maxUncut: 32_768 }
/** What comes at once: checks see more of it together, each has a cost of its own, and all of it is in memory anyway. */
export const unstreamedSegment: SegmentSize = { min: 2048, max: 4096, maxUncut: 256 * 1024 }

/**
 * Characters behind such a cut that are looked at first. What patterns find may be longer: what begins before the
 * cut and goes on there is an open span, in which there is no cut.
 */
const lookAhead = 512
/** Characters before a segment that its checks see, too. */
const contextLength = 256
/** Characters within which it is seen whether a text is JSON. */
const maxBegin = 512
/** Characters of a text that is held as a whole, or until a sentence ends. */
const maxWhole = 4 * 1024 * 1024

/**
 * Every decision depends on the text up to the cut and a fixed number of characters behind it, never on how the text
 * was cut when it came; only a pause may cut it once elsewhere. A text that begins as JSON does is one segment: what is
 * replaced in it must leave it JSON.
 */
export class Segmenter {
  private window = ''
  /** Where the window begins in the text. */
  private offset = 0
  /** Where the next segment begins in the window. */
  private start = 0
  /** Every end of a sentence up to here in the window has been tried. */
  private tried = 0
  /** Characters within which a cut between words is looked for next. */
  private reach: number
  private whole: boolean | undefined
  /** Whether a pause has cut it where no sentence ends. */
  private paused = false
  /** Whether something could be found across its end when it paused last, if the text went on. */
  isOpen = false

  /**
   * @param openSpans without it, a text is cut only where sentences and lines end
   * @param lenient whether a text that may be cut nowhere is cut all the same, in place of being given up
   */
  constructor(
    private readonly openSpans: OpenSpans | undefined,
    held: boolean,
    private readonly lenient = false,
    private readonly size = streamedSegment,
  ) {
    this.reach = size.max
    if (held) this.whole = true
  }

  /**
   * The segments that are complete now, one after the other; undefined where it is seen at once that there are none.
   * @throws safeguard_unavailable where the text cannot be cut
   */
  push(text: string): AsyncGenerator<Segment, void> | undefined {
    this.window += text
    this.whole ??= beginsAsJson(this.window)
    return this.mayCut() ? this.cuts() : undefined
  }

  /**
   * What is left, where nothing could be found across its end if the text went on later. Once it need not be the end of
   * a sentence: a text that goes on again and again between others must not be cut into its words.
   */
  async pause(): Promise<Segment[]> {
    this.isOpen = this.hasRest && (await this.mayContinue())
    if (this.isOpen || !this.hasRest) return []
    const ended = endsAtBoundary(this.window, this.start)
    if (!ended && this.paused) return []
    this.paused ||= !ended
    return this.end()
  }

  private async mayContinue(): Promise<boolean> {
    if (this.whole !== false) return true
    if (!this.openSpans) return !endsAtBoundary(this.window, this.start)
    const { length } = this.window
    return (await this.openSpans(this.window)).some(({ end }) => end >= length)
  }

  /** Characters that have come. */
  get length(): number {
    return this.offset + this.window.length
  }

  private get hasRest(): boolean {
    return this.start < this.window.length
  }

  /** What is left. */
  end(): Segment[] {
    return this.hasRest ? [this.take(this.window.length)] : []
  }

  private mayCut(): boolean {
    const length = this.window.length - this.start
    if (length > maxWhole) return true
    if (this.whole !== false) return false
    return (this.openSpans && length >= this.reach + lookAhead) || this.nextEnd() !== undefined
  }

  /** Where the next sentence or line ends that has not been tried. */
  private nextEnd(): number | undefined {
    const end = nextBoundary(this.window, this.start, this.tried, this.size.min)
    this.tried = (end ?? this.window.length) - 1
    return end
  }

  private async *cuts(): AsyncGenerator<Segment, void> {
    if (this.whole === false)
      for (let cut = await this.nextCut(); cut !== undefined; cut = await this.nextCut()) yield this.take(cut)
    while (this.window.length - this.start > maxWhole) yield this.take(this.anyCut(maxWhole))
  }

  private async nextCut(): Promise<number | undefined> {
    const { openSpans } = this
    if (!openSpans) return this.atSentence(() => Promise.resolve([]), Infinity)
    return (await this.atSentence(openSpans, this.start + this.size.max)) ?? (await this.anywhere(openSpans))
  }

  private async atSentence(openSpans: OpenSpans, limit: number): Promise<number | undefined> {
    for (;;) {
      const cut = this.nextEnd()
      if (cut === undefined || cut > limit) return undefined
      const open = await openSpans(this.window.slice(0, cut + 1))
      if (!open.some((span) => isInside(span, cut))) return cut
      this.tried = cut
    }
  }

  private async anywhere(openSpans: OpenSpans): Promise<number | undefined> {
    while (this.window.length >= this.start + this.reach + lookAhead) {
      const limit = this.start + this.reach
      const open = await openSpans(this.window.slice(0, limit + lookAhead))
      const cut = lastBoundary(this.window, this.start, limit, (at) => !open.some((span) => isInside(span, at)))
      if (cut !== undefined) return cut
      if (this.reach >= this.size.maxUncut) return this.anyCut(this.size.maxUncut)
      this.reach *= 2
    }
    return undefined
  }

  /** @throws safeguard_unavailable, unless it is lenient */
  private anyCut(length: number): number {
    if (!this.lenient)
      throw failure('safeguard_unavailable', {
        problem: `the answer has ${length} characters without a place to cut it`,
      })
    const limit = this.start + length
    return lastBoundary(this.window, limit - this.size.max, limit, () => true) ?? limit
  }

  private take(cut: number): Segment {
    const segment = {
      start: this.offset + this.start,
      end: this.offset + cut,
      text: this.window.slice(this.start, cut),
      before: this.window.slice(0, this.start),
    }
    const dropped = Math.max(0, cut - contextLength)
    this.window = this.window.slice(dropped)
    this.offset += dropped
    this.start = cut - dropped
    this.tried = Math.max(this.start, this.tried - dropped)
    this.reach = this.size.max
    return segment
  }
}

const isInside = ({ start, end }: Span, position: number): boolean => start < position && position < end

/** Up to a first key, or the first value of a list. */
const jsonBegin = /^\s*(?:\{\s*["}]|\[\s*(?:["{[\]\d-]|(?:true|false|null)\b))/u
/** A list of nothing or of one number is none where a text follows: a box of a task, a reference to a note. */
const note = /^\s*\[\s*\d*\s*\]\s*\S/u
/** What may become either. */
const openBegin = /^\s*(?:[{[]\s*[a-z]{0,5}|\[\s*\d*\s*(?:\]\s*)?)?$/u

/** Undefined where too little has come to tell. */
const beginsAsJson = (text: string): boolean | undefined => {
  const begin = text.slice(0, maxBegin)
  if (text.length < maxBegin && openBegin.test(begin)) return undefined
  return jsonBegin.test(begin) && !note.test(begin)
}
