/** The chunks of one choice, which leave in order when their texts have passed. */

import { Queue } from '@sallyport/kit/async'
import type { Pacer } from '@sallyport/kit/async'
import type { AnyFields, TextLeaf } from '@sallyport/core'
import { standInFor } from '../fields/stand-in.js'
import { rewriteTexts } from '../fields/walk.js'
import type { TextSite } from '../fields/walk.js'
import type { GuardedText } from './guarded-text.js'
import { isChecked, withoutLeaves } from './chunks.js'

/** The span of a chunk's text in the text that it continues. */
interface Part {
  readonly text: GuardedText
  from: number
  readonly to: number
}

/** A chunk that waits for its texts to pass. */
export interface HeldChunk {
  readonly chunk: unknown
  readonly position: number
  readonly parts: readonly Part[]
  /** Whether the copies in the chunk equal its text. */
  readonly copiesMatch: boolean
  readonly divisible: boolean
}

/** A part of a text, up to where another text continues the answer. */
export interface Stretch {
  readonly text: GuardedText
  readonly start: number
  end: number
}

/** So many chunks leave without a pause, so that the order among several choices seldom depends on time. */
const maxWithoutPause = 64

export class Lane {
  /** The stretches of its texts in order of arrival, without those of ended texts. */
  readonly stretches: Stretch[] = []
  /** Resolves when the chunks that may leave have left; undefined while none is leaving. */
  leaving: Promise<void> | undefined
  private readonly held = new Queue<HeldChunk>()

  constructor(
    private readonly fields: AnyFields,
    private readonly pacer: Pacer,
    private readonly onLeave: (chunk: unknown) => void,
  ) {}

  hold(chunk: HeldChunk): void {
    this.held.enqueue(chunk)
  }

  /** Removes and returns all held chunks. */
  takeAll(): HeldChunk[] {
    return [...this.held.drain()]
  }

  /** Releases the chunks that have passed, at once if that is quick; otherwise {@link leaving} resolves when done. */
  release(): Promise<void> | undefined {
    if (!this.leaving && !this.leaveUntilDue()) this.leaving = this.leaveLater()
    return this.leaving
  }

  leave({ chunk, parts, copiesMatch }: HeldChunk): void {
    const released = parts.map(({ text, from, to }) => text.release(from, to))
    const keepsCopies = copiesMatch && !released.some(({ replaced }) => replaced)
    const dropped: readonly TextLeaf[] = keepsCopies ? ['aside'] : ['aside', 'copy']
    const texts = released.values()
    this.onLeave(
      rewriteTexts(this.fields, withoutLeaves(this.fields, chunk, dropped), (site) =>
        isChecked(site) ? (texts.next().value?.text ?? '') : withStandIn(site),
      ),
    )
  }

  private async leaveLater(): Promise<void> {
    try {
      do await this.pacer.pause()
      while (!this.leaveUntilDue())
    } finally {
      this.leaving = undefined
    }
  }

  /** @returns whether all chunks that may leave have left */
  private leaveUntilDue(): boolean {
    const { held } = this
    let left = 0
    for (let first = held.peek(); first && hasPassed(first); first = held.peek()) {
      if (left >= maxWithoutPause && this.pacer.isDue) return false
      held.dequeue()
      this.leave(first)
      left += 1
    }
    const first = held.peek()
    if (first?.divisible) this.leaveBeginning(first)
    return true
  }

  /** Releases the part of a chunk that has passed. */
  private leaveBeginning({ chunk, parts: [part] }: HeldChunk): void {
    if (!part || part.text.passed <= part.from) return
    const { text } = part.text.release(part.from, part.text.passed)
    part.from = part.text.passed
    this.onLeave(rewriteTexts(this.fields, chunk, () => text))
  }
}

const hasPassed = ({ parts }: HeldChunk): boolean => parts.every(({ text, to }) => text.passed >= to)

/** Hides identifiers, which models make and which are not inspected. */
const withStandIn = ({ leaf, text }: TextSite): string => (leaf === 'identifier' ? standInFor(text) : text)
