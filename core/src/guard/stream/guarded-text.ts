import type { Segment, Segmenter } from './segmenter.js'

/** What became of a segment in its check. */
interface Checked extends Segment {
  /** Undefined while it is being checked. */
  result?: { readonly text: string } | { readonly error: unknown }
  /** Whether a piece has carried away what it was replaced by. */
  placed: boolean
}

/** What a part of a text may leave as. */
export interface Released {
  readonly text: string
  readonly replaced: boolean
}

/** One text of a stream: cut into segments, checked, and released in its order. */
export class GuardedText {
  /** Characters that may leave. */
  passed = 0
  /** Characters that have come. */
  private length = 0
  /** Those of which something has not left. */
  private segments: Checked[] = []

  constructor(
    private readonly segmenter: Segmenter,
    /** Resolves with what the segment becomes. @throws content_blocked, safeguard_unavailable */
    private readonly check: (segment: Segment) => Promise<string>,
  ) {}

  /** Counts more of it. @returns where that stands */
  append({ length }: string): { readonly from: number; readonly to: number } {
    const from = this.length
    this.length += length
    return { from, to: this.length }
  }

  /** Resolves when the checks of all segments that are complete have begun. @returns one promise for each */
  async grow(text: string): Promise<Promise<void>[]> {
    return this.begin(await this.segmenter.push(text))
  }

  /** Another text goes on in its place: it is let go as far as that is safe. */
  async pause(): Promise<Promise<void>[]> {
    return this.begin(await this.segmenter.pause())
  }

  end(): Promise<void>[] {
    return this.begin(this.segmenter.end())
  }

  /**
   * A part of what has passed, as it may leave; asked for in order. The first part of a segment that was replaced
   * carries all of it.
   */
  release(from: number, to: number): Released {
    const parts = this.segments.filter(({ start, end }) => start < to && end > from)
    const texts = parts.map((segment) => releasePart(segment, from, to))
    this.segments = this.segments.filter(({ end }) => end > to)
    return { text: texts.join(''), replaced: parts.some(isReplaced) }
  }

  private begin(segments: readonly Segment[]): Promise<void>[] {
    return segments.map((segment) => {
      const checked: Checked = { ...segment, placed: false }
      this.segments.push(checked)
      return this.decide(checked)
    })
  }

  private async decide(segment: Checked): Promise<void> {
    segment.result = await this.check(segment).then(
      (text) => ({ text }),
      (error: unknown) => ({ error }),
    )
    // In their order, so that it does not depend on which check is faster what is reported and what has left before.
    for (const { start, end, result } of this.segments) {
      if (start < this.passed) continue
      if (!result) return
      if ('error' in result) throw result.error
      this.passed = end
    }
  }
}

const isReplaced = ({ text, result }: Checked): boolean =>
  result !== undefined && 'text' in result && result.text !== text

const releasePart = (segment: Checked, from: number, to: number): string => {
  const { start, text, result } = segment
  if (!isReplaced(segment)) return text.slice(Math.max(0, from - start), to - start)
  if (segment.placed || !result || !('text' in result)) return ''
  segment.placed = true
  return result.text
}
