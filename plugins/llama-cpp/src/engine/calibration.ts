import { availableParallelism } from 'node:os'
import type { NativeContext } from './native-context.js'
import type { SliceSizer } from './slice-sizer.js'
import type { ThreadGovernor } from './thread-governor.js'

/** Evaluations per number of threads. The fastest one counts, because the machine may be busy. */
const steps = 4
/** The maximum duration of the calibration, in milliseconds. */
const maxDuration = 150

/** There are never more threads than cores, because ggml's threads wait for each other by spinning. */
export const maxThreads = (physicalCores: number, configured?: number): number =>
  Math.max(1, Math.min(configured ?? physicalCores, physicalCores, availableParallelism()))

/**
 * Measures with how many threads the model evaluates fastest, and how fast prompts are evaluated. Uses the context's
 * first sequence and leaves it empty.
 */
export const calibrate = async (
  context: NativeContext,
  governor: ThreadGovernor,
  slices: SliceSizer,
): Promise<void> => {
  const until = performance.now() + maxDuration
  const measured = new Map<number, number>()
  // from one thread up: on a busy machine one thread is merely slow, more may take seconds
  for (const threads of governor.choices.toReversed()) {
    const first = measured.size === 0
    if (!first && (performance.now() > until || !governor.affords(threads))) break
    measured.set(threads, await minDuration(context, threads, until))
  }
  governor.start(measured, 1)
  context.threads = governor.choose(16)
  slices.learn(16, await measure(context, 16))
  context.clear(0)
}

/** Takes the fastest of several evaluations: the very first one touches every page of the weights. */
const minDuration = async (context: NativeContext, threads: number, until: number): Promise<number> => {
  context.threads = threads
  let min = await measure(context, 1)
  for (let step = 1; step < steps && performance.now() < until; step += 1)
    min = Math.min(min, await measure(context, 1))
  return min
}

const measure = async (context: NativeContext, tokens: number): Promise<number> => {
  context.clear(0)
  const started = performance.now()
  await context.evaluate([{ sequence: 0, position: 0, tokens: new Uint32Array(tokens) }])
  return performance.now() - started
}
