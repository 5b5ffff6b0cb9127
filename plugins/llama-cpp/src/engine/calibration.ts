import { availableParallelism } from 'node:os'
import type { NativeContext } from './binding.js'
import type { SliceSizer } from './slice-sizer.js'

/** Steps per number of threads: enough to see a difference, few enough for a quick start. */
const steps = 3
/** Fewer threads must be this much faster: the measurement is short, and the machine may be busy. */
const advantage = 0.85
/** Milliseconds that all of it may take; the number of threads is fixed then. */
const patience = 400

/** Never more threads than cores: ggml's threads wait for each other by spinning. */
export const mostThreads = (physicalCores: number, configured?: number): number =>
  Math.max(1, Math.min(configured ?? physicalCores, physicalCores, availableParallelism()))

/**
 * Finds the number of threads that evaluates fastest, and how fast prompts are evaluated. Uses the context's first
 * sequence and leaves it empty.
 */
export const calibrate = async (context: NativeContext, most: number, slices: SliceSizer): Promise<void> => {
  const started = performance.now()
  // the first evaluation touches every page of the weights
  await timed(context, 1)
  let best = { threads: most, milliseconds: await fastest(context, most) }
  for (const threads of candidates(most)) {
    if (performance.now() - started > patience) break
    const milliseconds = await fastest(context, threads)
    if (milliseconds < best.milliseconds * advantage) best = { threads, milliseconds }
  }
  context.threads = best.threads
  slices.learn(16, await timed(context, 16))
  context.clear(0)
}

const candidates = (most: number): number[] =>
  [...new Set([most - 1, Math.ceil(most / 2)])].filter((threads) => threads >= 1 && threads < most)

const fastest = async (context: NativeContext, threads: number): Promise<number> => {
  context.threads = threads
  let least = Infinity
  for (let step = 0; step < steps; step += 1) least = Math.min(least, await timed(context, 1))
  return least
}

const timed = async (context: NativeContext, tokens: number): Promise<number> => {
  context.clear(0)
  const started = performance.now()
  await context.evaluate([{ sequence: 0, position: 0, tokens: new Uint32Array(tokens) }])
  return performance.now() - started
}
