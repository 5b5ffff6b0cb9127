import { failure } from '@sallyport/core'
import { FairQueue, Shares } from '@sallyport/kit/async'
import { maxOf } from '@sallyport/kit/lists'
import type { BatchEntry, NativeContext, Sampled } from './native-context.js'
import type { Generation } from './generation.js'
import { Sequence } from './sequence.js'
import type { SliceSizer } from './slice-sizer.js'
import type { ThreadGovernor } from './thread-governor.js'

export interface SchedulerOptions {
  readonly context: NativeContext
  readonly sequences: number
  /** The maximum number of generations that wait for a sequence. */
  readonly queue: number
  readonly slices: SliceSizer
  readonly governor: ThreadGovernor
}

/** The range of `retryAfter`, in seconds. */
const retryAfterRange = { min: 1, max: 60 }

/**
 * Milliseconds of prompt evaluation per millisecond of the preceding step. The sooner prompts are evaluated, the more
 * sequences share a step; short prompts get more time, because they delay the other sequences less.
 */
const maxPromptTime = { short: 10, long: 3 }
/** The maximum length of a short prompt, in tokens. */
const maxShortPrompt = 256

/**
 * Keeps the sequences in step. Each round evaluates one token of every sequence that has a single one pending, all in
 * one call, and then slices of prompts for a time in proportion; finished sequences take the next generation between
 * rounds. Tenants share the sequences and the time: a tenant without a sequence gets one from the tenant that has most,
 * whose generation pauses, and a tenant that has used more time than others lets them go first.
 */
export class Scheduler {
  private readonly sequences: Sequence[]
  private readonly waiting = new FairQueue<Generation>()
  private readonly shares = new Shares()
  /** Milliseconds of the last step of sequences. */
  private lastStep = 0
  /** Resolves when nothing is left to evaluate; undefined while nothing is evaluated. */
  private running: Promise<void> | undefined
  private stopped = false
  /** The smoothed duration of the last generations, from which `retryAfter` is estimated. */
  private secondsPerGeneration = 1

  constructor(private readonly options: SchedulerOptions) {
    this.sequences = Array.from({ length: options.sequences }, (_, id) => new Sequence(id, options.context))
  }

  /** @throws overloaded, not_ready */
  submit(generation: Generation): void {
    if (this.stopped) throw failure('not_ready', { state: 'draining' })
    if (this.newcomers >= this.options.queue + this.free.length) this.makeRoom(generation.tenant)
    this.waiting.push(generation.tenant, generation)
    this.running ??= this.run()
  }

  /** Takes a generation that is over out of the queue; one that has a sequence leaves it at the next round. */
  forget(generation: Generation): void {
    if (this.waiting.remove(generation.tenant, generation)) generation.release()
  }

  /** Fails what is unfinished; resolves when no evaluation is running. */
  async stop(): Promise<void> {
    this.stopped = true
    const error = failure('not_ready', { state: 'draining' })
    for (const generation of [...this.waiting]) this.refuse(generation, error)
    for (const { generation } of this.sequences) generation?.fail(error)
    await this.running
  }

  private get free(): Sequence[] {
    return this.sequences.filter((sequence) => !sequence.generation)
  }

  /** Generations that wait for their first sequence. */
  private get newcomers(): number {
    return [...this.waiting].filter(({ hasBegun }) => !hasBegun).length
  }

  /** @throws overloaded */
  private makeRoom(tenant: string): void {
    const error = failure('overloaded', {}, { retryAfter: this.retryAfter() })
    const last = this.waiting.lastOfLongest(tenant)
    if (!last || last.hasBegun) throw error
    this.refuse(last, error)
  }

  private refuse(generation: Generation, error: Error): void {
    generation.fail(error)
    this.forget(generation)
  }

  private async run(): Promise<void> {
    // requests that arrive together start together
    await Promise.resolve()
    while (this.arrange()) {
      const started = performance.now()
      await this.step()
      await this.prefill(performance.now() - started)
    }
    this.running = undefined
  }

  /** Frees sequences whose generation is over, and hands out the free ones. False when there is nothing to do. */
  private arrange(): boolean {
    for (const sequence of this.sequences) if (sequence.generation?.done) this.release(sequence)
    while (this.waiting.length > 0) {
      if (this.free.length === 0 && !this.pauseOne()) break
      const generation = this.waiting.take((tenant) => this.sequencesOf(tenant))
      if (generation && !generation.done) bestSequence(this.free, generation)?.assign(generation)
    }
    this.shares.setActive(new Set(this.sequences.flatMap(({ generation }) => generation?.tenant ?? [])))
    return this.sequences.some((sequence) => sequence.generation)
  }

  private sequencesOf(tenant: string): number {
    return this.sequences.filter(({ generation }) => generation?.tenant === tenant).length
  }

  /**
   * Pauses a generation where a tenant that has no sequence waits: among those of the tenants with most sequences, the
   * one with the fewest tokens to evaluate again. Where no tenant has two sequences, only a generation that has had its
   * turn is paused. Returns false where none can be.
   */
  private pauseOne(): boolean {
    if (![...this.waiting.tenants].some((tenant) => this.sequencesOf(tenant) === 0)) return false
    const sequenceCount = ({ generation }: Sequence) => (generation ? this.sequencesOf(generation.tenant) : 0)
    const max = maxOf(this.sequences.map(sequenceCount))
    const [sequence] = this.sequences
      .filter((each) => sequenceCount(each) === max && (max > 1 || each.hasHadTurn))
      .sort((a, b) => a.length - b.length)
    const generation = sequence?.generation
    if (!generation) return false
    sequence.pause()
    this.waiting.putBack(generation.tenant, generation)
    this.waiting.putLast(generation.tenant)
    return true
  }

  /** The sequences of the tenant that has used least time, and of those ahead of it by no more than a step. */
  private get next(): Sequence[] {
    return this.sequences.filter(
      ({ generation }) => generation && this.shares.aheadBy(generation.tenant) <= this.lastStep,
    )
  }

  private release(sequence: Sequence): void {
    const seconds = (performance.now() - sequence.lastUsed) / 1000
    this.secondsPerGeneration += 0.2 * (seconds - this.secondsPerGeneration)
    sequence.release()
  }

  /** Evaluates one token of every sequence that has exactly one pending. */
  private async step(): Promise<void> {
    const ready = this.next.filter(({ pending }) => pending.length === 1)
    if (ready.length > 0) this.lastStep = await this.evaluate(ready.map((sequence) => ({ sequence, count: 1 })))
  }

  /** Evaluates a slice of the next prompt, the one that has waited longest, and more while the share of time lasts. */
  private async prefill(stepMilliseconds: number): Promise<void> {
    const started = performance.now()
    let share: number = maxPromptTime.long
    do {
      const [sequence] = this.next
        .filter(({ generation, pending }) => !generation?.done && pending.length > 1)
        .sort((a, b) => a.lastUsed - b.lastUsed)
      if (!sequence?.generation) return
      share = sequence.pending.length > maxShortPrompt ? maxPromptTime.long : maxPromptTime.short
      const count = this.options.slices.next(sequence.pending.length, sequence.generation.setup.reproducible)
      const milliseconds = await this.evaluate([{ sequence, count }])
      this.options.slices.learn(count, milliseconds)
    } while (performance.now() - started < share * stepMilliseconds)
  }

  /** Returns the milliseconds that it took. */
  private async evaluate(portions: readonly Portion[]): Promise<number> {
    const { context, governor } = this.options
    const tokens = portions.reduce((sum, { count }) => sum + count, 0)
    context.threads = governor.choose(tokens)
    const started = performance.now()
    try {
      const results = await context.evaluate(portions.map(toEntry))
      const milliseconds = performance.now() - started
      governor.observe(tokens, milliseconds)
      for (const { sequence, count } of portions)
        if (sequence.generation) this.shares.add(sequence.generation.tenant, (milliseconds * count) / tokens)
      portions.forEach((portion, index) => accept(portion, results[index]))
      return milliseconds
    } catch (cause) {
      for (const { sequence } of portions) {
        sequence.generation?.fail(failure('internal', {}, { cause }))
        sequence.reset()
      }
      return performance.now() - started
    }
  }

  private retryAfter(): number {
    const rounds = (this.waiting.length + 1) / this.sequences.length
    const seconds = Math.ceil(rounds * this.secondsPerGeneration)
    return Math.min(retryAfterRange.max, Math.max(retryAfterRange.min, seconds))
  }
}

/** The tokens of a sequence that the next evaluation takes. */
interface Portion {
  readonly sequence: Sequence
  readonly count: number
}

const accept = ({ sequence, count }: Portion, sampled: Sampled | undefined): void => {
  sequence.advance(count)
  if (!sampled || !sequence.generation || sequence.generation.done) return
  const next = sequence.generation.accept(sampled)
  if (next !== undefined) sequence.pending = Uint32Array.of(next)
}

const toEntry = ({ sequence, count }: Portion): BatchEntry => {
  const { generation, id, length, pending } = sequence
  const isLast = count === pending.length
  return {
    sequence: id,
    position: length,
    tokens: pending.subarray(0, count),
    ...(isLast && generation?.sampler
      ? {
          sampler: generation.sampler,
          constraint: generation.constraint,
          probabilities: generation.setup.request.topLogprobs !== undefined,
        }
      : {}),
  }
}

/** The free sequence with most reusable tokens; among equals, the one that loses fewest, then the one idle longest. */
const bestSequence = (free: readonly Sequence[], generation: Generation): Sequence | undefined => {
  const rated = free.map((sequence) => ({ sequence, reusable: sequence.reusable(generation) }))
  rated.sort(
    (a, b) =>
      b.reusable - a.reusable ||
      a.sequence.length - a.reusable - (b.sequence.length - b.reusable) ||
      a.sequence.lastUsed - b.sequence.lastUsed,
  )
  return rated[0]?.sequence
}
