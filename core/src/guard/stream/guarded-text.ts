import type { HeldText } from './across-texts.js'
import { alignment } from './alignment.js'
import type { Place } from '../places.js'
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
  /** So many of them have passed. */
  private decided = 0
  /** The first segment, where its check waits for the end. */
  private first: Checked | undefined

  /**
   * Whether a text before it may go on in it: its first segment is then checked when both have ended. Undefined until
   * that is known.
   */
  goesOn: boolean | undefined

  constructor(
    private readonly segmenter: Segmenter,
    /** Resolves with what the segment becomes. @throws content_blocked, safeguard_unavailable */
    private readonly check: (segment: Segment, across?: Promise<readonly Place[]>) => Promise<string>,
  ) {}

  /** Whether it may go on in a text behind it. */
  get isOpen(): boolean {
    return this.segmenter.hasRest || this.first?.end === this.length
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

  /** Its checks are still to begin of what is left: see {@link beginHeld}. */
  end(): HeldText {
    const last = this.segmenter.end().map((segment) => this.add(segment))
    return { segments: [...(this.first ? [this.first] : []), ...last], length: this.length }
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
    if (!this.goesOn || segment.start > 0) return [this.beginHeld(checked)]
    this.first = checked
    return []
  }

  /** The same of a segment that was held. @param across what is to be replaced in it because other texts say the rest */
  async beginHeld(segment: Checked, across?: Promise<readonly Place[]>): Promise<void> {
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
