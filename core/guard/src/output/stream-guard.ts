/** Collects the texts of a stream from its chunks, and releases each chunk when its texts have passed. */

import type { Pacer } from '@sallyport/kit/async'
import type { AnyFields, TextLeaf } from '@sallyport/core'
import { deltaKey, isChecked, isDivisible } from './chunks.js'
import { textsOf } from '../fields/walk.js'
import type { TextSite } from '../fields/walk.js'
import type { SearchAcrossTexts } from './across-texts.js'
import { GuardedText } from './guarded-text.js'
import { Lane } from './lane.js'
import type { Stretch } from './lane.js'
import { Segmenter } from './segmenter.js'
import type { PlacesByCheck } from './segment-checks.js'
import type { OpenSpans, Segment, SegmentSize } from './segmenter.js'

/** The checks of the texts of a stream. */
export interface StreamChecks {
  /** The source waits while this many segments are being checked. */
  readonly maxConcurrent: number
  /** Whether each text is checked and released as a whole. */
  readonly whole: boolean
  readonly openSpans: OpenSpans | undefined
  readonly size: SegmentSize
  /** Whether a text without a safe position is cut anyway, and not refused. */
  readonly lenient: boolean
  /** Resolves with the text of the segment after replacements. @throws content_blocked, safeguard_unavailable */
  check(segment: Segment, across?: Promise<PlacesByCheck>): Promise<string>
  /** Absent if no check reads several texts together. */
  readonly across?: SearchAcrossTexts | undefined
  /** Pauses the release, since thousands of chunks may leave at once. */
  readonly pacer: Pacer
}

export class StreamGuard {
  private readonly texts = new Map<string, GuardedText>()
  private readonly lanes = new Map<unknown, Lane>()
  private readonly running = new Set<Promise<void>>()
  private position = 0

  constructor(
    private readonly fields: AnyFields,
    private readonly checks: StreamChecks,
    private readonly release: (chunk: unknown) => void,
    /** Called at once when a check blocks or fails. */
    private readonly fail: (error: unknown) => void,
  ) {}

  /** Resolves when the next chunk may come. @throws what a check throws, and what cutting a text throws */
  async write(chunk: unknown): Promise<void> {
    const lane = this.laneOf(chunk)
    const allSites = textsOf(this.fields, chunk)
    const sites = allSites.filter(isChecked)
    const texts = sites.map((site) => this.textOf(site, chunk))
    const parts = texts.map((text, at) => ({ text, ...text.append(sites[at]?.text ?? '') }))
    lane.hold({
      chunk,
      position: this.position++,
      parts,
      copiesMatch: copiesRepeatText(allSites),
      divisible: isDivisible(chunk, allSites),
    })
    for (const [at, site] of sites.entries()) {
      const text = texts[at]
      if (text && site.text) await this.grow(lane, text, site)
    }
    const leaving = lane.release()
    if (leaving) await leaving
  }

  /** Ends the stream: resolves when everything has left. @throws what a check throws */
  async end(): Promise<void> {
    for (const lane of this.lanes.values()) await this.endTexts(lane.stretches)
    await Promise.all(this.running)
    const lanes = [...this.lanes.values()]
    for (const { leaving } of lanes) if (leaving) await leaving
    const rest = lanes.flatMap((lane) => lane.takeAll().map((held) => ({ lane, held })))
    for (const { lane, held } of rest.sort((a, b) => a.held.position - b.held.position)) {
      lane.leave(held)
      await this.checks.pacer.pause()
    }
  }

  private async endTexts(stretches: readonly Stretch[]): Promise<void> {
    const ended = new Map<GuardedText, readonly Segment[]>()
    for (const { text } of stretches) if (!ended.has(text)) ended.set(text, text.end())
    const texts = Array.from(ended, ([text, segments]) => ({ segments, start: 0, end: text.segmentedLength }))
    const parts = stretches.map(({ text, start, end }) => ({ segments: ended.get(text) ?? [], start, end }))
    const across = this.checks.across?.(texts, parts.length > texts.length ? parts : [])
    across?.catch(() => undefined)
    for (const [text, segments] of ended)
      for (const segment of segments) {
        const places = across?.then((found) => found.get(segment) ?? new Map<never, never>())
        this.watch([text.startHeldCheck(segment, places)])
        await this.room()
      }
  }

  private laneOf(chunk: unknown): Lane {
    const choice = (chunk as { readonly choice?: unknown }).choice ?? 0
    const lane = this.lanes.get(choice) ?? new Lane(this.fields, this.checks.pacer, this.release)
    this.lanes.set(choice, lane)
    return lane
  }

  private textOf(site: TextSite, chunk: unknown): GuardedText {
    if (site.leaf !== 'delta') return this.newText(true)
    const key = deltaKey(site, chunk)
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
    const segments = text.segmentsWith(more)
    if (segments) {
      // With thousands of streams, waiting here takes much less memory than waiting inside a detector.
      await this.checks.pacer.pause()
      for await (const segment of segments) {
        this.watch(text.startCheck(segment))
        await this.room()
      }
    }
    if (leaf === 'identifier' || (leaf !== 'delta' && !this.checks.across))
      await this.endTexts(lane.stretches.splice(-1))
    await this.room()
  }

  /** The last stretch of a lane, or a new one if another text continues. */
  private async stretchOf(text: GuardedText, { stretches }: Lane): Promise<Stretch> {
    const last = stretches.at(-1)
    if (last?.text === text) return last
    if (last) this.watch(await last.text.pause())
    if (this.checks.across && last?.text.isOpen) for (const one of [last.text, text]) one.hold()
    const stretch = { text, start: text.segmentedLength, end: text.segmentedLength }
    stretches.push(stretch)
    return stretch
  }

  private async room(): Promise<void> {
    while (this.running.size >= this.checks.maxConcurrent) await Promise.race(this.running)
  }

  private watch(checks: readonly Promise<void>[]): void {
    for (const check of checks) {
      const watched: Promise<void> = check.then(
        () => {
          this.running.delete(watched)
          return this.releaseAll()
        },
        // The text before a blocked one may leave. The promise stays in `running`, so that whoever waits gets the error.
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
    await Promise.all(Array.from(this.lanes.values()).flatMap((lane) => lane.release() ?? []))
  }
}

/** Whether all copies equal the growing text; others are dropped. */
const copiesRepeatText = (sites: readonly TextSite[]): boolean => {
  const joined = (kind: TextLeaf) => sites.flatMap(({ leaf, text }) => (leaf === kind ? [text] : [])).join('')
  return !sites.some(({ leaf }) => leaf === 'copy') || joined('copy') === joined('delta')
}
