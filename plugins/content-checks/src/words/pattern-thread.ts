/** Work for a thread: patterns over long texts. */

import { failure } from '@sallyport/core/errors'
import { RecentlyUsed } from '@sallyport/kit/lists'
import { packRows } from '@sallyport/kit/threads'
import type { Rows, ThreadModule } from '@sallyport/kit/threads'
import { Patterns } from './patterns.js'
import type { TypedPattern } from './patterns.js'

export interface PatternJob {
  readonly patterns: readonly TypedPattern[]
  readonly text: string
  readonly tenant: string
}

/** Of each finding, the place of its type among those of the patterns, start and end. */
export type PackedHits = Rows

/** Some 100 MB; each tenant has its own, as time would tell what others look for. */
const compiled = new RecentlyUsed<Patterns>(2 ** 18, ({ size }) => size)

/** Milliseconds that a pattern may take: finding all matches of a long line takes quadratic time with some patterns. */
const limit = 5000

const module: ThreadModule<undefined, PatternJob, PackedHits> = () => (job) => {
  const types = typesOf(job.patterns)
  const patterns = compiled.getOrMake(JSON.stringify([job.tenant, job.patterns]), () => new Patterns(job.patterns))
  const end = performance.now() + limit * job.patterns.length
  const hits = []
  for (const hit of patterns.find(job.text)) {
    if (performance.now() > end) throw failure('safeguard_unavailable', { problem: tooLong })
    if (hit) hits.push(hit)
  }
  return packRows(hits, 3, ({ type, start, end: behind }) => [types.indexOf(type), start, behind])
}

const tooLong = 'the patterns of the check words take too long for a text: send less at a time, or make them simpler'

export const typesOf = (patterns: readonly TypedPattern[]): readonly string[] => [
  ...new Set(patterns.map(({ type }) => type)),
]

export default module
