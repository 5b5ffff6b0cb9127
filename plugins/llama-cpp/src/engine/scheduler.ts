import { failure } from '@sallyport/core'
import type { BatchEntry, NativeContext, Sampled } from './binding.js'
import type { Generation } from './generation.js'
import { Sequence } from './sequence.js'
import type { SliceSizer } from './slice-sizer.js'
import type { ThreadGovernor } from './thread-governor.js'

export interface SchedulerOptions {
  readonly context: NativeContext
  readonly sequences: number
  /** Most generations that wait for a sequence. */
  readonly queue: number
  readonly slices: SliceSizer
  readonly governor: ThreadGovernor
}

/** Seconds after which to try again, at least and at most. */
const retryAfterRange = { least: 1, most: 60 }

/**
 * Milliseconds of prompts per millisecond of the step before: the sooner prompts are done, the fuller the steps. Those
 * that are soon done may take more of it than those that would hold up the others for long.
 */
const promptShare = { short: 10, long: 3 }
/** Tokens. */
const longestShortPrompt = 256

/**
 * Keeps the sequences in step. Each round evaluates one token of every sequence that has a single one pending, all in
 * one call, and then slices of prompts for a time in proportion; finished sequences take the next generation between
 * rounds.
 */
export class Scheduler {
  private readonly sequences: Sequence[]
  private readonly waiting: Generation[] = []
  private readonly onIdle: (() => void)[] = []
  private running = false
  private stopped = false
  /** Smoothed, of the last generations, for `retryAfter`. */
  private secondsPerGeneration = 1

  constructor(private readonly options: SchedulerOptions) {
    this.sequences = Array.from({ length: options.sequences }, (_, id) => new Sequence(id, options.context))
  }

  /** @throws overloaded, not_ready */
  submit(generation: Generation): void {
    if (this.stopped) throw failure('not_ready', { state: 'draining' })
    const free = this.sequences.filter((sequence) => !sequence.generation).length
    if (this.waiting.length >= this.options.queue + free) {
      throw failure('overloaded', {}, { retryAfter: this.retryAfter() })
    }
    this.waiting.push(generation)
    if (!this.running) void this.run()
  }

  /** Takes a generation that is over out of the queue; one that has a sequence leaves it at the next round. */
  forget(generation: Generation): void {
    const index = this.waiting.indexOf(generation)
    if (index >= 0) this.waiting.splice(index, 1)
  }

  /** Fails what is unfinished; resolves when no evaluation is running. */
  async stop(): Promise<void> {
    this.stopped = true
    const error = failure('not_ready', { state: 'draining' })
    for (const generation of this.waiting.splice(0)) generation.fail(error)
    for (const { generation } of this.sequences) generation?.fail(error)
    if (this.running) await new Promise<void>((resolve) => this.onIdle.push(resolve))
  }

  private async run(): Promise<void> {
    this.running = true
    // requests that arrive together start together
    await Promise.resolve()
    while (this.arrange()) {
      const started = performance.now()
      await this.step()
      await this.prefill(performance.now() - started)
    }
    this.running = false
    for (const resolve of this.onIdle.splice(0)) resolve()
  }

  /** Frees sequences whose generation is over, and hands out the free ones. False when there is nothing to do. */
  private arrange(): boolean {
    for (const sequence of this.sequences) if (sequence.generation?.done) this.release(sequence)
    while (this.waiting.length > 0) {
      const free = this.sequences.filter((sequence) => !sequence.generation)
      if (free.length === 0) break
      const generation = this.waiting.shift()
      if (generation && !generation.done) closest(free, generation)?.assign(generation)
    }
    return this.sequences.some((sequence) => sequence.generation)
  }

  private release(sequence: Sequence): void {
    const seconds = (performance.now() - sequence.lastUsed) / 1000
    this.secondsPerGeneration += 0.2 * (seconds - this.secondsPerGeneration)
    sequence.release()
  }

  /** One token of every sequence that has exactly one to evaluate. */
  private async step(): Promise<void> {
    const ready = this.sequences.filter(({ generation, pending }) => generation && pending.length === 1)
    if (ready.length > 0) await this.evaluate(ready.map((sequence) => ({ sequence, count: 1 })))
  }

  /** At least one slice of the prompt that has waited longest, and more while the share of time lasts. */
  private async prefill(stepMilliseconds: number): Promise<void> {
    const started = performance.now()
    let share: number = promptShare.long
    do {
      const [sequence] = this.sequences
        .filter(({ generation, pending }) => generation && !generation.done && pending.length > 1)
        .sort((a, b) => a.lastUsed - b.lastUsed)
      if (!sequence?.generation) return
      share = sequence.pending.length > longestShortPrompt ? promptShare.long : promptShare.short
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
    return Math.min(retryAfterRange.most, Math.max(retryAfterRange.least, seconds))
  }
}

/** The next tokens of a sequence. */
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
          probabilities: generation.wantsProbabilities,
        }
      : {}),
  }
}

/** The sequence that saves most; of equals the one that loses least, then the one unused for longest. */
const closest = (free: readonly Sequence[], generation: Generation): Sequence | undefined => {
  const rated = free.map((sequence) => ({ sequence, reusable: sequence.reusable(generation) }))
  rated.sort(
    (a, b) =>
      b.reusable - a.reusable ||
      a.sequence.length - a.reusable - (b.sequence.length - b.reusable) ||
      a.sequence.lastUsed - b.sequence.lastUsed,
  )
  return rated[0]?.sequence
}
