/** Collects the texts of a stream from its chunks, and releases each chunk when its texts have passed. */

import type { Pacer } from '@sallyport/kit/async'
import type { AnyFields, TextLeaf } from '@sallyport/core'
import type { DocumentPlaces, LocateIn } from './document-places.js'
import { continuedKey, isChecked, isDivisible } from './chunks.js'
import { textsOf } from '../fields/walk.js'
import type { TextField } from '../fields/walk.js'
import type { SearchAcrossTexts } from './across-texts.js'
import { GuardedText } from './guarded-text.js'
import { ChoiceQueue } from './choice-queue.js'
import type { TextRun } from './choice-queue.js'
import { Segmenter } from './segmenter.js'
import type { MatchesByCheck } from './segment-checks.js'
import type { OpenSpans, Segment, SegmentSize } from './segmenter.js'

/** The checks of the texts of a stream. */
interface StreamChecks {
  /** The source waits while this many segments are being checked. */
  readonly maxConcurrent: number
  /** Whether each text is one segment. */
  readonly isSingleSegment: boolean
  readonly openSpans: OpenSpans | undefined
  readonly size: SegmentSize
  /** Whether a text without a safe position is cut anyway, and not refused. */
  readonly lenient: boolean
  /** Resolves with the text of the segment after replacements. @throws content_blocked, safeguard_unavailable */
  check(segment: Segment, matchesAcross?: Promise<MatchesByCheck>, locate?: LocateIn): Promise<string>
  /** Absent if no check reads several texts together. */
  readonly searchAcross?: SearchAcrossTexts | undefined
  /** Pauses the release, since thousands of chunks may be released at once. */
  readonly pacer: Pacer
}

export class StreamTexts {
  private readonly texts = new Map<string, GuardedText>()
  private readonly queues = new Map<unknown, ChoiceQueue>()
  private readonly running = new Set<Promise<void>>()
  private position = 0

  constructor(
    private readonly fields: AnyFields,
    private readonly checks: StreamChecks,
    private readonly release: (chunk: unknown) => void,
    /** Called at once when a check blocks or fails. */
    private readonly fail: (error: unknown) => void,
    /** Where the texts are in a document, if they are of one. */
    private readonly places?: DocumentPlaces,
  ) {}

  /** Resolves when the next chunk may come. @throws what a check throws, and what cutting a text throws */
  async write(chunk: unknown): Promise<void> {
    const queue = this.queueOf(chunk)
    const allTextFields = textsOf(this.fields, chunk)
    const textFields = allTextFields.filter(isChecked)
    const spans = textFields.map((textField) => this.spanOf(textField, chunk))
    queue.hold({
      chunk,
      position: this.position++,
      spans,
      copiesMatch: copiesRepeatText(allTextFields),
      divisible: isDivisible(chunk, allTextFields),
    })
    // Lines stand beside the text, and do not interrupt it.
    for (const areLines of [true, false])
      for (const [at, textField] of textFields.entries()) {
        const span = spans[at]
        if (span && span.to > span.from && (textField.leaf === 'line') === areLines)
          await this.grow(queue, span.text, textField.leaf, span.separator + textField.text)
      }
    const releasing = queue.release()
    if (releasing) await releasing
  }

  /** Ends the stream: resolves when everything is released. @throws what a check throws */
  async end(): Promise<void> {
    for (const queue of this.queues.values()) await this.endTexts(queue.runs)
    await Promise.all(this.running)
    const queues = [...this.queues.values()]
    for (const { releasing } of queues) if (releasing) await releasing
    const rest = queues.flatMap((queue) => queue.takeAll().map((held) => ({ queue, held })))
    for (const { queue, held } of rest.sort((a, b) => a.held.position - b.held.position)) {
      queue.emit(held)
      await this.checks.pacer.pause()
    }
  }

  private async endTexts(runs: readonly TextRun[]): Promise<void> {
    const ended = new Map<GuardedText, readonly Segment[]>()
    for (const { text } of runs) if (!ended.has(text)) ended.set(text, text.end())
    const texts = Array.from(ended, ([text, segments]) => ({ segments, start: 0, end: text.segmentedLength }))
    const parts = runs.map(({ text, start, end }) => ({ segments: ended.get(text) ?? [], start, end }))
    const matchesAcross = this.checks.searchAcross?.(texts, parts.length > texts.length ? parts : [])
    matchesAcross?.catch(() => undefined)
    for (const [text, segments] of ended)
      for (const segment of segments) {
        const matches = matchesAcross?.then((found) => found.get(segment) ?? new Map<never, never>())
        this.watch([text.runCheck(segment, matches)])
        await this.waitForCapacity()
      }
  }

  private queueOf(chunk: unknown): ChoiceQueue {
    const choice = (chunk as { readonly choice?: unknown }).choice ?? 0
    const queue = this.queues.get(choice) ?? new ChoiceQueue(this.fields, this.checks.pacer, this.release)
    this.queues.set(choice, queue)
    return queue
  }

  /** The text that the field continues, and its span there. */
  private spanOf(textField: TextField, chunk: unknown) {
    const text = this.textOf(textField, chunk)
    const separator = textField.leaf === 'line' && !text.isEmpty ? '\n' : ''
    const span = text.reserveSpan(separator + textField.text)
    if (textField.leaf === 'line') this.places?.addLine(textField, span.from + separator.length)
    return { text, separator, ...span }
  }

  private textOf(textField: TextField, chunk: unknown): GuardedText {
    const key = continuedKey(textField, chunk)
    if (key === undefined) return this.newText(true, textField)
    const text = this.texts.get(key) ?? this.newText(this.checks.isSingleSegment, textField)
    this.texts.set(key, text)
    return text
  }

  private newText(isSingleSegment: boolean, textField: TextField): GuardedText {
    const { openSpans, lenient, size } = this.checks
    const locate = this.places?.locateIn(textField)
    return new GuardedText(new Segmenter(openSpans, isSingleSegment, lenient, size), (segment, matchesAcross) =>
      this.checks.check(segment, matchesAcross, locate),
    )
  }

  private async grow(queue: ChoiceQueue, text: GuardedText, leaf: TextLeaf, more: string): Promise<void> {
    const run = await this.runOf(text, queue)
    run.end += more.length
    const segments = text.push(more)
    if (segments) {
      // With thousands of streams, waiting here takes much less memory than waiting inside a detector.
      await this.checks.pacer.pause()
      for await (const segment of segments) {
        this.watch(text.startCheck(segment))
        await this.waitForCapacity()
      }
    }
    if (leaf === 'identifier' || (leaf !== 'delta' && leaf !== 'line' && !this.checks.searchAcross))
      await this.endTexts(queue.runs.splice(-1))
    await this.waitForCapacity()
  }

  /** The last run of a queue, or a new one if another text continues. */
  private async runOf(text: GuardedText, { runs }: ChoiceQueue): Promise<TextRun> {
    const last = runs.at(-1)
    if (last?.text === text) return last
    if (last) this.watch(await last.text.flushIfSafe())
    if (this.checks.searchAcross && last?.text.isOpen) for (const one of [last.text, text]) one.hold()
    const run = { text, start: text.segmentedLength, end: text.segmentedLength }
    runs.push(run)
    return run
  }

  private async waitForCapacity(): Promise<void> {
    while (this.running.size >= this.checks.maxConcurrent) await Promise.race(this.running)
  }

  private watch(checks: readonly Promise<void>[]): void {
    for (const check of checks) {
      const watched: Promise<void> = check.then(
        () => {
          this.running.delete(watched)
          return this.releaseAll()
        },
        // The text before a blocked one may be released. The promise stays in `running`: whoever waits gets the error.
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
    await Promise.all(Array.from(this.queues.values()).flatMap((queue) => queue.release() ?? []))
  }
}

/** Whether the copies in a chunk equal its delta text. If not, they are dropped. */
export const copiesRepeatText = (textFields: readonly TextField[]): boolean => {
  const joined = (kind: TextLeaf) => textFields.flatMap(({ leaf, text }) => (leaf === kind ? [text] : [])).join('')
  return !textFields.some(({ leaf }) => leaf === 'copy') || joined('copy') === joined('delta')
}
