import { alignment } from './alignment.js'
import type { PlacesByCheck } from './segment-checks.js'
import type { Segment, Segmenter } from './segmenter.js'

/** What became of a segment in its check. */
interface Checked extends Segment {
  /** Undefined while it is being checked. */
  result?: { readonly text: string } | { readonly error: unknown }
  /** Where it stands in what it was replaced by; absent until that is asked. */
  placeOf?: (position: number) => number
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
  /** Those of which something has not left, in their order. */
  private segments: Checked[] = []
  /** How many of the segments have passed. */
  private decided = 0
  /** Those whose checks wait for the end. */
  private readonly held: Checked[] = []
  /** Where the last of them may begin. */
  private heldUpTo = -1

  constructor(
    private readonly segmenter: Segmenter,
    /** Resolves with what the segment becomes. @throws content_blocked, safeguard_unavailable */
    private readonly check: (segment: Segment, across?: Promise<PlacesByCheck>) => Promise<string>,
  ) {}

  /** Whether what it said before it paused may go on in another text. */
  get isOpen(): boolean {
    return this.segmenter.isOpen || this.held.at(-1)?.end === this.grown
  }

  /** Characters of which segments have been made, or will be. */
  get grown(): number {
    return this.segmenter.length
  }

  /** One text may go on in another here: what stands around this place is checked when both have ended. */
  hold(): void {
    this.heldUpTo = this.grown
  }

  /** Counts more of it. @returns where that stands */
  append({ length }: string): { readonly from: number; readonly to: number } {
    const from = this.length
    this.length += length
    return { from, to: this.length }
  }

  /** The segments that are complete with it, one after the other, where there may be some. */
  grow(text: string): AsyncGenerator<Segment, void> | undefined {
    return this.segmenter.push(text)
  }

  /** Another text goes on in its place: it is let go as far as that is safe. */
  async pause(): Promise<Promise<void>[]> {
    return (await this.segmenter.pause()).flatMap((segment) => this.begin(segment))
  }

  /** What has been held, and what is left: their checks are still to begin, see {@link beginHeld}. */
  end(): readonly Segment[] {
    return [...this.held, ...this.segmenter.end().map((segment) => this.add(segment))]
  }

  /**
   * A part of what has passed, as it may leave; asked for in order. What was replaced leaves with the part in which it
   * begins.
   */
  release(from: number, to: number): Released {
    const beyond = this.segments.findIndex(({ start }) => start >= to)
    const parts = this.segments.slice(0, beyond < 0 ? this.segments.length : beyond)
    const texts = parts.map((segment) => releasePart(segment, from, to))
    const left = parts.filter(({ end }) => end <= to).length
    this.segments.splice(0, left)
    this.decided -= left
    return { text: texts.join(''), replaced: parts.some(isReplaced) }
  }

  /**
   * Begins the check of a segment, in their order. Resolves when it is done; none where it waits for the end.
   * @throws what a check before it throws, too
   */
  begin(segment: Segment): Promise<void>[] {
    const checked = this.add(segment)
    if (segment.start > this.heldUpTo) return [this.beginHeld(checked)]
    this.held.push(checked)
    return []
  }

  /** Begins the check of a segment that was held. @param across what is to be replaced in it because other texts say the rest */
  async beginHeld(segment: Checked, across?: Promise<PlacesByCheck>): Promise<void> {
    segment.result = await this.check(segment, across).then(
      (text) => ({ text }),
      (error: unknown) => ({ error }),
    )
    // In their order, so that it does not depend on which check is faster what is reported and what has left before.
    for (let next = this.segments[this.decided]; next?.result; next = this.segments[this.decided]) {
      if ('error' in next.result) throw next.result.error
      this.passed = next.end
      this.decided += 1
    }
  }

  private add(segment: Segment): Checked {
    const checked: Checked = { ...segment }
    this.segments.push(checked)
    return checked
  }
}

const isReplaced = ({ text, result }: Checked): boolean =>
  result !== undefined && 'text' in result && result.text !== text

const releasePart = (segment: Checked, from: number, to: number): string => {
  const { start, end, text, result } = segment
  const [first, last] = [Math.max(from, start) - start, Math.min(to, end) - start]
  if (!result || !('text' in result) || !isReplaced(segment)) return text.slice(first, last)
  const placeOf = (segment.placeOf ??= alignment(text, result.text))
  return result.text.slice(placeOf(first), placeOf(last))
}
