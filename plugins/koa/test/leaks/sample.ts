/**
 * The cases of the walk that one run takes. `SALLYPORT_LEAK_WALK` is `whole`, or the seed of a run to be repeated;
 * without it each run draws a seed of its own, which stands in the title of every case. A seed that failed belongs into
 * `kept`.
 */
import { createHash } from 'node:crypto'

/** A seed takes one case out of this many. */
const oneOf = 12

/** Seeds that found a leak once: their cases are in every run. */
const kept: readonly string[] = []

const wanted = process.env['SALLYPORT_LEAK_WALK'] ?? String(Math.floor(Math.random() * 2 ** 32))

export const sampleTitle =
  wanted === 'whole' ? 'whole' : `a sample of it (SALLYPORT_LEAK_WALK=${wanted} repeats it, =whole takes all)`

/** A case is drawn by its name, so that cases which come or go later do not change what a seed means. */
const draws = (seed: string, name: string): boolean =>
  createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() % oneOf === 0

export const isSampled = (name: string): boolean =>
  wanted === 'whole' || [...kept, wanted].some((seed) => draws(seed, name))
