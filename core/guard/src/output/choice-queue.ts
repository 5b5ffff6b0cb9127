/** Holds the chunks of one choice, and releases them in order when their texts have passed. */

import { Queue } from '@sallyport/kit/async'
import type { Pacer } from '@sallyport/kit/async'
import type { AnyFields, TextLeaf } from '@sallyport/core'
import { standInFor } from '../fields/stand-in.js'
import { rewriteTexts } from '../fields/walk.js'
import type { TextField } from '../fields/walk.js'
import type { GuardedText, Released } from './guarded-text.js'
import { isChecked, withoutLeaves } from './chunks.js'

/** A text of a stream that is released in parts, in order. */
interface ReleasedText {
  /** Number of UTF-16 code units that may be released. */
  readonly passedLength: number
  release(from: number, to: number): Released
}

/** The span of a chunk's text in the text that it continues. */
interface ChunkSpan {
  readonly text: ReleasedText
  from: number
  readonly to: number
  /** What the span begins with that is checked, but is not in the chunk. */
  readonly separator?: string
}

/** A chunk that waits for its texts to pass. */
interface HeldChunk {
  readonly chunk: unknown
  readonly position: number
  readonly spans: readonly ChunkSpan[]
  /** How many of the spans, from the first on, are known to have passed; none where absent. */
  passedSpans?: number
  /** Whether the copies in the chunk equal its delta text. */
  readonly copiesMatch: boolean
  /** Whether it may be released in smaller parts. */
  readonly divisible: boolean
}

/** A run of chunks of one text, until another text continues the answer. */
export interface TextRun {
  readonly text: GuardedText
  readonly start: number
  end: number
}

/** Chunks released before a pause is considered: many, so that the order of choices seldom depends on time. */
const minBeforePause = 64

export class ChoiceQueue {
  /** The runs of its texts in order of arrival, without those of ended texts. */
  readonly runs: TextRun[] = []
  /** Resolves when the chunks that have passed are released; undefined while none is being released. */
  releasing: Promise<void> | undefined
  private readonly held = new Queue<HeldChunk>()

  constructor(
    private readonly fields: AnyFields,
    private readonly pacer: Pacer,
    private readonly onRelease: (chunk: unknown) => void,
  ) {}

  hold(chunk: HeldChunk): void {
    this.held.enqueue(chunk)
  }

  /** Removes and returns all held chunks. */
  takeAll(): HeldChunk[] {
    return [...this.held.drain()]
  }

  /** Releases the chunks that have passed, at once if that is quick; otherwise {@link releasing} resolves when done. */
  release(): Promise<void> | undefined {
    if (!this.releasing && !this.releaseUntilDue()) this.releasing = this.releaseLater()
    return this.releasing
  }

  emit({ chunk, spans, copiesMatch }: HeldChunk): void {
    const released = spans.map(releasedSpan)
    const keepsCopies = copiesMatch && !released.some(({ replaced }) => replaced)
    const dropped: readonly TextLeaf[] = keepsCopies ? ['aside'] : ['aside', 'copy']
    const texts = released.values()
    this.onRelease(
      rewriteTexts(this.fields, withoutLeaves(this.fields, chunk, dropped), (textField) =>
        isChecked(textField) ? (texts.next().value?.text ?? '') : withStandIn(textField),
      ),
    )
  }

  private async releaseLater(): Promise<void> {
    try {
      do await this.pacer.pause()
      while (!this.releaseUntilDue())
    } finally {
      this.releasing = undefined
    }
  }

  /** @returns whether all chunks that have passed are released */
  private releaseUntilDue(): boolean {
    const { held } = this
    let released = 0
    for (let first = held.peek(); first && hasPassed(first); first = held.peek()) {
      if (released >= minBeforePause && this.pacer.isDue) return false
      held.dequeue()
      this.emit(first)
      released += 1
    }
    const first = held.peek()
    if (first?.divisible) this.emitPart(first)
    return true
  }

  /** Releases the part of a chunk that has passed. */
  private emitPart({ chunk, spans: [part] }: HeldChunk): void {
    if (!part || part.text.passedLength <= part.from) return
    const { text } = part.text.release(part.from, part.text.passedLength)
    part.from = part.text.passedLength
    this.onRelease(rewriteTexts(this.fields, chunk, () => text))
  }
}

const releasedSpan = ({ text, from, to, separator = '' }: ChunkSpan): Released => {
  const released = text.release(from, to)
  // A replacement may have taken the separator away.
  return released.text.startsWith(separator) ? { ...released, text: released.text.slice(separator.length) } : released
}

/** Asked after each segment, it goes on where it stopped: a document is one chunk of very many spans. */
const hasPassed = (held: HeldChunk): boolean => {
  let passed = held.passedSpans ?? 0
  for (let next = held.spans[passed]; next && next.text.passedLength >= next.to; next = held.spans[passed]) passed += 1
  held.passedSpans = passed
  return passed === held.spans.length
}

/** Hides identifiers, which models make and which are not inspected. */
const withStandIn = ({ leaf, text }: TextField): string => (leaf === 'identifier' ? standInFor(text) : text)
