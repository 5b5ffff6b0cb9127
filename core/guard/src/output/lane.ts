/** Chunks of one choice, which leave in their order when their texts have passed. */

import { Queue } from '@sallyport/kit/async'
import type { Pacer } from '@sallyport/kit/async'
import type { AnyFields, TextLeaf } from '@sallyport/core'
import { standInFor } from '../fields/stand-in.js'
import { rewriteTexts } from '../fields/walk.js'
import type { TextSite } from '../fields/walk.js'
import type { GuardedText } from './guarded-text.js'
import { isChecked, withoutLeaves } from './chunks.js'

/** Where a text of a chunk stands in the text that it belongs to. */
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
  /** Whether its copies of the text say what the text says. */
  readonly repeats: boolean
  readonly divisible: boolean
}

/** A part of a text, between parts of others. */
export interface Stretch {
  readonly text: GuardedText
  readonly start: number
  end: number
}

/** Chunks that leave without a pause, so that the order of those of several choices seldom depends on time. */
const maxWithoutPause = 64

export class Lane {
  /** The parts of its texts in the order in which they came, but for those of texts that have ended. */
  readonly stretches: Stretch[] = []
  /** Resolves when those have left that are leaving; undefined where none is. */
  leaving: Promise<void> | undefined
  private readonly held = new Queue<HeldChunk>()

  constructor(
    private readonly fields: AnyFields,
    private readonly pacer: Pacer,
    private readonly onLeave: (chunk: unknown) => void,
  ) {}

  hold(chunk: HeldChunk): void {
    this.held.push(chunk)
  }

  /** Everything that is held, which is held no longer. */
  takeAll(): HeldChunk[] {
    return Array.from({ length: this.held.length }, () => this.held.take() as HeldChunk)
  }

  /** Lets leave what has passed: at once where that takes no longer than a turn, otherwise {@link leaving} tells when. */
  release(): Promise<void> | undefined {
    if (!this.leaving && !this.leaveUntilDue()) this.leaving = this.leaveLater()
    return this.leaving
  }

  leave({ chunk, parts, repeats }: HeldChunk): void {
    const released = parts.map(({ text, from, to }) => text.release(from, to))
    const kept = repeats && !released.some(({ replaced }) => replaced)
    const dropped: readonly TextLeaf[] = kept ? ['aside'] : ['aside', 'copy']
    const texts = released.values()
    this.onLeave(
      rewriteTexts(this.fields, withoutLeaves(this.fields, chunk, dropped), (site) =>
        isChecked(site) ? (texts.next().value?.text ?? '') : unchecked(site),
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

  /** @returns whether all have left that may */
  private leaveUntilDue(): boolean {
    const { held } = this
    let left = 0
    for (let { first } = held; first && hasPassed(first); { first } = held) {
      if (left >= maxWithoutPause && this.pacer.isDue) return false
      held.take()
      this.leave(first)
      left += 1
    }
    const { first } = held
    if (first?.divisible) this.leaveBeginning(first)
    return true
  }

  /** Lets the part of a chunk leave that has passed, where the rest has not. */
  private leaveBeginning({ chunk, parts: [part] }: HeldChunk): void {
    if (!part || part.text.passed <= part.from) return
    const { text } = part.text.release(part.from, part.text.passed)
    part.from = part.text.passed
    this.onLeave(rewriteTexts(this.fields, chunk, () => text))
  }
}

const hasPassed = ({ parts }: HeldChunk): boolean => parts.every(({ text, to }) => text.passed >= to)

/** Names that models make are not shown. */
const unchecked = ({ leaf, text }: TextSite): string => (leaf === 'identifier' ? standInFor(text) : text)
