import { alignPositions } from './alignment.js'
import type { MatchesByCheck } from './segment-checks.js'
import type { Segment, Segmenter } from './segmenter.js'

/** A segment with the result of its check. */
interface CheckedSegment extends Segment {
  /** Undefined while it is being checked. */
  result?: { readonly text: string } | { readonly error: unknown }
  /** Maps positions of the segment to the replaced text; made when first needed. */
  mapPosition?: (position: number) => number
}

/** The released form of a part of a text. */
export interface Released {
  readonly text: string
  readonly replaced: boolean
}

/** One text of a stream, which is cut into segments, checked, and released in order. */
export class GuardedText {
  /** Number of UTF-16 code units that have passed and may be released. */
  passedLength = 0
  /** Number of UTF-16 code units received. */
  private length = 0
  /** The segments that are not completely released, in order. */
  private segments: CheckedSegment[] = []
  /** How many of the segments have passed. */
  private passedSegments = 0
  /** The segments whose checks wait for the end of the text. */
  private readonly held: CheckedSegment[] = []
  /** Segments that start at or before this position are held until the end. */
  private holdsUpTo = -1

  constructor(
    private readonly segmenter: Segmenter,
    /** Resolves with the text of the segment after replacements. @throws content_blocked, safeguard_unavailable */
    private readonly check: (segment: Segment, matchesAcross?: Promise<MatchesByCheck>) => Promise<string>,
  ) {}

  /** Whether a finding may continue from here in another text. */
  get isOpen(): boolean {
    return this.segmenter.isOpen || this.held.at(-1)?.end === this.segmentedLength
  }

  /** Whether nothing of it was received. */
  get isEmpty(): boolean {
    return this.length === 0
  }

  /** Number of UTF-16 code units given to the segmenter. */
  get segmentedLength(): number {
    return this.segmenter.length
  }

  /**
   * A finding may continue in another text here, so the segments around this position are checked when both have ended.
   */
  hold(): void {
    this.holdsUpTo = this.segmentedLength
  }

  /** Counts a further part of the text, which {@link push} adds later. @returns its span */
  reserveSpan({ length }: string): { readonly from: number; readonly to: number } {
    const from = this.length
    this.length += length
    return { from, to: this.length }
  }

  /** Adds text. @returns the segments that it completes; undefined if it certainly completes none */
  push(text: string): AsyncGenerator<Segment, void> | undefined {
    return this.segmenter.push(text)
  }

  /** When another text continues the answer: starts the check of the rest, if it can be cut safely. */
  async flushIfSafe(): Promise<Promise<void>[]> {
    return (await this.segmenter.flushIfSafe()).flatMap((segment) => this.startCheck(segment))
  }

  /** The held segments and the rest. The caller starts their checks with {@link runCheck}. */
  end(): readonly Segment[] {
    return [...this.held, ...this.segmenter.takeRest().map((segment) => this.add(segment))]
  }

  /**
   * Releases a part of the text that has passed; parts must be released in order. A replacement is released with the
   * part in which it begins.
   */
  release(from: number, to: number): Released {
    const firstAfter = this.segments.findIndex(({ start }) => start >= to)
    const parts = this.segments.slice(0, firstAfter < 0 ? this.segments.length : firstAfter)
    const texts = parts.map((segment) => releasePart(segment, from, to))
    const released = parts.filter(({ end }) => end <= to).length
    this.segments.splice(0, released)
    this.passedSegments -= released
    return { text: texts.join(''), replaced: parts.some(isReplaced) }
  }

  /**
   * Starts the check of the next segment. Returns a promise of its end, or nothing if the segment is held.
   * @throws the errors of earlier checks, too
   */
  startCheck(segment: Segment): Promise<void>[] {
    const checked = this.add(segment)
    if (segment.start > this.holdsUpTo) return [this.runCheck(checked)]
    this.held.push(checked)
    return []
  }

  /**
   * Checks a segment, and counts the segments that have passed.
   * @param matchesAcross matches to replace whose findings continue in other texts
   */
  async runCheck(segment: CheckedSegment, matchesAcross?: Promise<MatchesByCheck>): Promise<void> {
    segment.result = await this.check(segment, matchesAcross).then(
      (text) => ({ text }),
      (error: unknown) => ({ error }),
    )
    // Results count in order, so that reports and released text do not depend on which check is faster.
    for (let next = this.segments[this.passedSegments]; next?.result; next = this.segments[this.passedSegments]) {
      if ('error' in next.result) throw next.result.error
      this.passedLength = next.end
      this.passedSegments += 1
    }
  }

  private add(segment: Segment): CheckedSegment {
    const checked: CheckedSegment = { ...segment }
    this.segments.push(checked)
    return checked
  }
}

const isReplaced = ({ text, result }: CheckedSegment): boolean =>
  result !== undefined && 'text' in result && result.text !== text

const releasePart = (segment: CheckedSegment, from: number, to: number): string => {
  const { start, end, text, result } = segment
  const [first, last] = [Math.max(from, start) - start, Math.min(to, end) - start]
  if (!result || !('text' in result) || !isReplaced(segment)) return text.slice(first, last)
  const mapPosition = (segment.mapPosition ??= alignPositions(text, result.text))
  return result.text.slice(mapPosition(first), mapPosition(last))
}
