/** Takes a stream of pieces apart into its texts, and lets each piece leave when its texts have passed. */

import { Queue } from '@sallyport/kit/async'
import type { Pacer } from '@sallyport/kit/async'
import type { AnyFields, TextLeaf } from '@sallyport/core'
import { deltaKey, isChecked, isDivisible, withoutLeaves } from './pieces.js'
import { standInFor } from '../fields/stand-in.js'
import { rewriteTexts, textsOf } from '../fields/walk.js'
import type { TextSite } from '../fields/walk.js'
import type { AcrossTexts } from './across-texts.js'
import { GuardedText } from './guarded-text.js'
import { Segmenter } from './segmenter.js'
import type { PlacesByCheck } from './segment-checks.js'
import type { OpenSpans, Segment, SegmentSize } from './segmenter.js'

/** What the texts of a stream go through. */
export interface StreamChecks {
  /** Segments that may be in their checks before the source of the stream has to wait. */
  readonly atOnce: number
  /** Whether nothing of a text is released before it has ended. */
  readonly whole: boolean
  readonly openSpans: OpenSpans | undefined
  readonly size: SegmentSize
  /** Whether a text that may be cut nowhere is cut all the same, in place of being given up. */
  readonly lenient: boolean
  /** Resolves with what the segment becomes. @throws content_blocked, safeguard_unavailable */
  check(segment: Segment, across?: Promise<PlacesByCheck>): Promise<string>
  /** Absent where texts are not read together. */
  readonly across?: AcrossTexts | undefined
  /** Thousands of pieces may leave at once. */
  readonly pacer: Pacer
}

/** Where a text of a piece stands in the text that it belongs to. */
interface Part {
  readonly text: GuardedText
  from: number
  readonly to: number
}

/** A piece that waits for its texts to pass. */
interface Held {
  readonly piece: unknown
  readonly position: number
  readonly parts: readonly Part[]
  /** Whether what it says it repeats is what it says. */
  readonly repeats: boolean
  readonly divisible: boolean
}

/** A part of a text, between parts of others. */
interface Stretch {
  readonly text: GuardedText
  readonly start: number
  end: number
}

/** Pieces of one choice: they leave in their order. */
interface Lane {
  readonly held: Queue<Held>
  /** The parts of its texts in the order in which they came, but for those of texts that have ended. */
  readonly stretches: Stretch[]
  /** While pieces leave. */
  leaving?: Promise<void> | undefined
}

/** Pieces that leave without a pause, so that the order of those of several choices seldom depends on time. */
const withoutPause = 64

export class StreamGuard {
  private readonly texts = new Map<string, GuardedText>()
  private readonly lanes = new Map<unknown, Lane>()
  private readonly running = new Set<Promise<void>>()
  private position = 0

  constructor(
    private readonly fields: AnyFields,
    private readonly checks: StreamChecks,
    private readonly release: (piece: unknown) => void,
    /** Hears at once that a check did not let its text pass. */
    private readonly fail: (error: unknown) => void,
  ) {}

  /** Resolves when the next piece may come. @throws what a check throws, and what cutting a text throws */
  async write(piece: unknown): Promise<void> {
    const lane = this.laneOf(piece)
    const allSites = textsOf(this.fields, piece)
    const sites = allSites.filter(isChecked)
    const texts = sites.map((site) => this.textOf(site, piece))
    const parts = texts.map((text, at) => ({ text, ...text.append(sites[at]?.text ?? '') }))
    lane.held.push({
      piece,
      position: this.position++,
      parts,
      repeats: repeatsItself(allSites),
      divisible: isDivisible(piece, allSites),
    })
    for (const [at, site] of sites.entries()) {
      const text = texts[at]
      if (text && site.text) await this.grow(lane, text, site)
    }
    const leaving = this.releaseFrom(lane)
    if (leaving) await leaving
  }

  /** The source has ended: resolves when everything has left. @throws what a check throws */
  async end(): Promise<void> {
    for (const lane of this.lanes.values()) await this.endTexts(lane.stretches)
    await Promise.all(this.running)
    const lanes = [...this.lanes.values()]
    for (const { leaving } of lanes) if (leaving) await leaving
    const held = lanes.flatMap(({ held }) => Array.from({ length: held.length }, () => held.take() as Held))
    for (const one of held.sort((a, b) => a.position - b.position)) {
      this.leave(one)
      await this.checks.pacer.pause()
    }
  }

  private async endTexts(stretches: readonly Stretch[]): Promise<void> {
    const ended = new Map<GuardedText, readonly Segment[]>()
    for (const { text } of stretches) if (!ended.has(text)) ended.set(text, text.end())
    const texts = Array.from(ended, ([text, segments]) => ({ segments, start: 0, end: text.grown }))
    const parts = stretches.map(({ text, start, end }) => ({ segments: ended.get(text) ?? [], start, end }))
    const across = this.checks.across?.(texts, parts.length > texts.length ? parts : [])
    across?.catch(() => undefined)
    for (const [text, segments] of ended)
      for (const segment of segments) {
        const places = across?.then((found) => found.get(segment) ?? new Map<never, never>())
        this.watch([text.beginHeld(segment, places)])
        await this.room()
      }
  }

  private laneOf(piece: unknown): Lane {
    const choice = (piece as { readonly choice?: unknown }).choice ?? 0
    const lane = this.lanes.get(choice) ?? { held: new Queue<Held>(), stretches: [] }
    this.lanes.set(choice, lane)
    return lane
  }

  private textOf(site: TextSite, piece: unknown): GuardedText {
    if (site.leaf !== 'delta') return this.newText(true)
    const key = deltaKey(site, piece)
    const text = this.texts.get(key) ?? this.newText(this.checks.whole)
    this.texts.set(key, text)
    return text
  }

  private newText(whole: boolean): GuardedText {
    const { openSpans, lenient, size } = this.checks
    return new GuardedText(new Segmenter(openSpans, whole, lenient, size), (segment, across) =>
      this.checks.check(segment, across),
    )
  }

  private async grow(lane: Lane, text: GuardedText, { leaf, text: more }: TextSite): Promise<void> {
    const stretch = await this.stretchOf(text, lane)
    stretch.end += more.length
    const segments = text.grow(more)
    if (segments) {
      // Of thousands of streams, those that wait for their turn inside a detector would hold several times as much.
      await this.checks.pacer.pause()
      for await (const segment of segments) {
        this.watch(text.begin(segment))
        await this.room()
      }
    }
    if (leaf === 'identifier' || (leaf !== 'delta' && !this.checks.across))
      await this.endTexts(lane.stretches.splice(-1))
    await this.room()
  }

  /** The last one of a lane; a new one where another text goes on. */
  private async stretchOf(text: GuardedText, { stretches }: Lane): Promise<Stretch> {
    const last = stretches.at(-1)
    if (last?.text === text) return last
    if (last) this.watch(await last.text.pause())
    if (this.checks.across && last?.text.isOpen) for (const one of [last.text, text]) one.hold()
    const stretch = { text, start: text.grown, end: text.grown }
    stretches.push(stretch)
    return stretch
  }

  private async room(): Promise<void> {
    while (this.running.size >= this.checks.atOnce) await Promise.race(this.running)
  }

  private watch(checks: readonly Promise<void>[]): void {
    for (const check of checks) {
      const watched: Promise<void> = check.then(
        () => {
          this.running.delete(watched)
          return this.releaseAll()
        },
        // What stands before the text that does not pass may leave. It stays among those that run: whoever waits hears it.
        async (error: unknown) => {
          await this.releaseAll()
          throw error
        },
      )
      watched.catch(this.fail)
      this.running.add(watched)
    }
  }

  private async releaseAll(): Promise<void> {
    await Promise.all(Array.from(this.lanes.values()).flatMap((lane) => this.releaseFrom(lane) ?? []))
  }

  /** At once, where that takes no longer than a turn; otherwise resolves when they have left. */
  private releaseFrom(lane: Lane): Promise<void> | undefined {
    if (!lane.leaving && !this.leaveFrom(lane)) lane.leaving = this.leaveLater(lane)
    return lane.leaving
  }

  private async leaveLater(lane: Lane): Promise<void> {
    try {
      do await this.checks.pacer.pause()
      while (!this.leaveFrom(lane))
    } finally {
      lane.leaving = undefined
    }
  }

  /** @returns whether all have left that may */
  private leaveFrom({ held }: Lane): boolean {
    let left = 0
    for (let { first } = held; first && hasPassed(first); { first } = held) {
      if (left >= withoutPause && this.checks.pacer.isDue) return false
      held.take()
      this.leave(first)
      left += 1
    }
    const { first } = held
    if (first?.divisible) this.leaveBeginning(first)
    return true
  }

  /** What has passed of a piece whose rest has not. */
  private leaveBeginning({ piece, parts: [part] }: Held): void {
    if (!part || part.text.passed <= part.from) return
    const { text } = part.text.release(part.from, part.text.passed)
    part.from = part.text.passed
    this.release(rewriteTexts(this.fields, piece, () => text))
  }

  private leave({ piece, parts, repeats }: Held): void {
    const released = parts.map(({ text, from, to }) => text.release(from, to))
    const kept = repeats && !released.some(({ replaced }) => replaced)
    const dropped: readonly TextLeaf[] = kept ? ['aside'] : ['aside', 'copy']
    const texts = released.values()
    this.release(
      rewriteTexts(this.fields, withoutLeaves(this.fields, piece, dropped), (site) =>
        isChecked(site) ? (texts.next().value?.text ?? '') : unchecked(site),
      ),
    )
  }
}

/** Names that models make are not shown. */
const unchecked = ({ leaf, text }: TextSite): string => (leaf === 'identifier' ? standInFor(text) : text)

/** Copies that say something else than the growing text are none. */
const repeatsItself = (sites: readonly TextSite[]): boolean => {
  const said = (kind: TextLeaf) => sites.flatMap(({ leaf, text }) => (leaf === kind ? [text] : [])).join('')
  return !sites.some(({ leaf }) => leaf === 'copy') || said('copy') === said('delta')
}

const hasPassed = ({ parts }: Held): boolean => parts.every(({ text, to }) => text.passed >= to)
