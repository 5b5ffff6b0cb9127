/** Cuts a growing text into segments, which do not depend on how it arrives. */

import { failure } from '@sallyport/core'
import type { Span } from '@sallyport/kit/views'
import { endsAtBoundary, lastBoundary, nextBoundary, minSentence } from './boundaries.js'

/** A part of a text that is checked by itself. */
export interface Segment extends Span {
  readonly text: string
  /** The text before it, as context that is not inspected. */
  readonly before: string
}

/** Resolves with the spans in which a text must not be cut, however it continues. */
export type OpenSpans = (text: string) => Promise<readonly Span[]>

/** Lengths in UTF-16 code units. */
export interface SegmentSize {
  /** A shorter sentence is joined to the next one. */
  readonly min: number
  /** A longer segment is cut between two words, or else between two characters. */
  readonly max: number
  /** A longer text without a safe position is refused. */
  readonly maxUncut: number
}

/**
 * For streamed answers. `maxUncut` leaves room for a private key, which is held until its end: that comes within 16,384
 * characters, not counting invisible ones.
 */
export const streamedSize: SegmentSize = { min: minSentence, max: 512, maxUncut: 32_768 }
/**
 * For unstreamed answers, which are in memory anyway. Larger segments cost less, because each check has a fixed cost.
 */
export const unstreamedSize: SegmentSize = { min: 2048, max: 4096, maxUncut: 256 * 1024 }

/**
 * A cut between words is made only when this many UTF-16 code units after it have been read. A match that goes on
 * beyond them is safe, too: at their end it is an open span.
 */
const lookAhead = 512
/** UTF-16 code units before a segment that its checks get as context. */
const contextLength = 256
/** UTF-16 code units that decide whether a text is JSON. */
const maxJsonStart = 512
/** Maximum number of UTF-16 code units held for a text that is not cut. */
const maxSingleSegment = 4 * 1024 * 1024

/**
 * Cuts depend on the text up to the cut and a fixed number of code units after it, never on how the text was divided on
 * arrival; only a flush may cut it elsewhere, once. A text that begins like JSON is one segment, so that replacements
 * can keep it valid.
 */
export class Segmenter {
  private buffer = ''
  /** The position of the buffer in the text. */
  private offset = 0
  /** The start of the next segment in the buffer. */
  private start = 0
  /** All ends of sentences up to here in the buffer have been tried. */
  private triedUpTo = 0
  /** UTF-16 code units of the segment that are searched next for a cut between words. */
  private searchLimit: number
  /** Undefined until it is known whether the text is JSON. */
  private isSingleSegment: boolean | undefined
  /** Whether a flush has cut the text within a sentence. */
  private hasCutSentence = false
  /** Whether, at the last flush, a finding could have continued across the end of the text. */
  isOpen = false

  /**
   * @param openSpans without it, a text is cut only at the ends of sentences and lines
   * @param singleSegment whether the text is not cut at all
   * @param lenient whether a text without a safe position is cut anyway, and not refused
   */
  constructor(
    private readonly openSpans: OpenSpans | undefined,
    singleSegment: boolean,
    private readonly lenient = false,
    private readonly size = streamedSize,
  ) {
    this.searchLimit = size.max
    if (singleSegment) this.isSingleSegment = true
  }

  /**
   * Adds text and yields the segments that it completes; undefined if it certainly completes none.
   * @throws safeguard_unavailable where the text cannot be cut
   */
  push(text: string): AsyncGenerator<Segment, void> | undefined {
    this.buffer += text
    this.isSingleSegment ??= startsAsJson(this.buffer)
    return this.canCut() ? this.cutSegments() : undefined
  }

  /**
   * The rest, if nothing could be found across its end when the text continues. At most one flush may cut a sentence,
   * so that a text that is often interrupted is not cut into single words.
   */
  async flushIfSafe(): Promise<Segment[]> {
    this.isOpen = this.hasRest && (await this.mayContinue())
    if (this.isOpen || !this.hasRest) return []
    const ended = endsAtBoundary(this.buffer, this.start)
    if (!ended && this.hasCutSentence) return []
    this.hasCutSentence ||= !ended
    return this.takeRest()
  }

  private async mayContinue(): Promise<boolean> {
    if (this.isSingleSegment !== false) return true
    if (!this.openSpans) return !endsAtBoundary(this.buffer, this.start)
    const { length } = this.buffer
    return (await this.openSpans(this.buffer)).some(({ end }) => end >= length)
  }

  /** Number of UTF-16 code units received. */
  get length(): number {
    return this.offset + this.buffer.length
  }

  private get hasRest(): boolean {
    return this.start < this.buffer.length
  }

  /** The rest of the text so far, as a segment, if there is any. */
  takeRest(): Segment[] {
    return this.hasRest ? [this.take(this.buffer.length)] : []
  }

  private canCut(): boolean {
    const length = this.buffer.length - this.start
    if (length > maxSingleSegment) return true
    if (this.isSingleSegment !== false) return false
    return (this.openSpans && length >= this.searchLimit + lookAhead) || this.nextEnd() !== undefined
  }

  /** The next end of a sentence or line that has not been tried. */
  private nextEnd(): number | undefined {
    const end = nextBoundary(this.buffer, this.start, this.triedUpTo, this.size.min)
    this.triedUpTo = (end ?? this.buffer.length) - 1
    return end
  }

  private async *cutSegments(): AsyncGenerator<Segment, void> {
    if (this.isSingleSegment === false)
      for (let cut = await this.nextCut(); cut !== undefined; cut = await this.nextCut()) yield this.take(cut)
    while (this.buffer.length - this.start > maxSingleSegment) yield this.take(this.forcedCut(maxSingleSegment))
  }

  private async nextCut(): Promise<number | undefined> {
    const { openSpans } = this
    if (!openSpans) return this.cutAtSentence(() => Promise.resolve([]), Infinity)
    return (await this.cutAtSentence(openSpans, this.start + this.size.max)) ?? (await this.cutAnywhere(openSpans))
  }

  private async cutAtSentence(openSpans: OpenSpans, limit: number): Promise<number | undefined> {
    for (;;) {
      const cut = this.nextEnd()
      if (cut === undefined || cut > limit) return undefined
      const open = await openSpans(this.buffer.slice(0, cut + 1))
      if (!open.some((span) => isInside(span, cut))) return cut
      this.triedUpTo = cut
    }
  }

  private async cutAnywhere(openSpans: OpenSpans): Promise<number | undefined> {
    while (this.buffer.length >= this.start + this.searchLimit + lookAhead) {
      const limit = this.start + this.searchLimit
      const open = await openSpans(this.buffer.slice(0, limit + lookAhead))
      const cut = lastBoundary(this.buffer, this.start, limit, (at) => !open.some((span) => isInside(span, at)))
      if (cut !== undefined) return cut
      if (this.searchLimit >= this.size.maxUncut) return this.forcedCut(this.size.maxUncut)
      this.searchLimit *= 2
    }
    return undefined
  }

  /** A cut without regard to open spans. @throws safeguard_unavailable, unless lenient */
  private forcedCut(length: number): number {
    if (!this.lenient)
      throw failure('safeguard_unavailable', {
        problem:
          this.isSingleSegment === false
            ? `the answer has ${length} characters without a place to cut it`
            : `the answer has more than ${length} characters, and is checked as a whole`,
      })
    const limit = this.start + length
    return lastBoundary(this.buffer, limit - this.size.max, limit, () => true) ?? limit
  }

  private take(cut: number): Segment {
    const segment = {
      start: this.offset + this.start,
      end: this.offset + cut,
      text: this.buffer.slice(this.start, cut),
      before: this.buffer.slice(0, this.start),
    }
    const dropped = Math.max(0, cut - contextLength)
    this.buffer = this.buffer.slice(dropped)
    this.offset += dropped
    this.start = cut - dropped
    this.triedUpTo = Math.max(this.start, this.triedUpTo - dropped)
    this.searchLimit = this.size.max
    return segment
  }
}

const isInside = ({ start, end }: Span, position: number): boolean => start < position && position < end

/** The start of JSON, up to the first key or list item. */
const jsonStart = /^\s*(?:\{\s*["}]|\[\s*(?:["{[\]\d-]|(?:true|false|null)\b))/u
/** An empty list or a list of one number, followed by text, is not JSON but a check box or a footnote. */
const checkboxOrFootnote = /^\s*\[\s*\d*\s*\]\s*\S/u
/** A start that may still become JSON or not. */
const undecidedStart = /^\s*(?:[{[]\s*[a-z]{0,5}|\[\s*\d*\s*(?:\]\s*)?)?$/u

/** Undefined while the text is too short to decide. */
export const startsAsJson = (text: string): boolean | undefined => {
  const begin = text.slice(0, maxJsonStart)
  if (text.length < maxJsonStart && undecidedStart.test(begin)) return undefined
  return jsonStart.test(begin) && !checkboxOrFootnote.test(begin)
}
