import { Pacer } from '@sallyport/kit/async'
import type { Call, Claim, ComparisonDetector, ComparisonInspection, InspectionRequest } from '@sallyport/core'
import { logistic } from '../heads/aggregate.js'
import { supportOf } from './claim-head.js'
import { comparable } from './comparable.js'
import { claimsOf } from './claims.js'
import { explanationOf } from './explanation.js'
import { compare } from './features.js'
import type { Judged } from './judged.js'
import { Nearness } from './nearness.js'
import type { FactualityOptions } from './options.js'
import type { Reference } from './reference.js'
import { RecentReferences } from './recent-references.js'
import type { WordTable } from './word-table.js'

/** Words that claim nothing. */
const courtesies: ReadonlySet<string> = new Set([
  'hello',
  'hi',
  'yes',
  'ok',
  'okay',
  'sure',
  'thanks',
  'thank',
  'please',
  'welcome',
  'sorry',
  'bye',
  'goodbye',
])
const differences = ['number', 'name', 'date', 'negation', 'opposite'] as const

const detector = 'factuality-claims/1'

/** Claims that a reference does not support, by what they have in common with its sentences. */
export class FactualityDetector implements ComparisonDetector {
  private readonly references = new RecentReferences()

  constructor(
    private readonly table: WordTable,
    private readonly options: FactualityOptions,
  ) {}

  async inspect({ text, reference }: InspectionRequest, call: Call): Promise<ComparisonInspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const pacer = new Pacer(call)
    const read = reference === undefined ? undefined : await this.references.read(reference, pacer)
    const judged = read ? await this.judge(text, read, pacer) : []
    const bad = judged.filter(({ score }) => score >= 0.5)
    return {
      findings: bad.map(({ start, end, score }) => ({ type: 'unsupported_claim', start, end, score })),
      score: judged.reduce((worst, { score }) => Math.max(worst, score), 0),
      explanation: read ? explanationOf(judged) : 'there is no reference to compare with',
      detector,
      claims: read ? judged.map((one) => claimOf(one, read)) : [],
      latency: performance.now() - begin,
    }
  }

  private async judge(text: string, reference: Reference, pacer: Pacer): Promise<Judged[]> {
    const nearness = new Nearness(this.table)
    const { short, perDoubling } = this.options.operatingPoint
    const point = short + perDoubling * Math.log2(Math.max(1, reference.parts.length))
    const judged: Judged[] = []
    for (const { text: claim, start, end } of claimsOf(text)) {
      const words = comparable(claim)
      if (words.some(({ content, word }) => content && !courtesies.has(word))) {
        const comparison = compare(words, reference, this.table, nearness)
        const score = logistic(point - supportOf(this.table.model, comparison.features))
        judged.push({ start, end, score, comparison })
      }
      await pacer.pause()
    }
    return judged
  }
}

const claimOf = ({ start, end, score, comparison }: Judged, { parts }: Reference): Claim => ({
  start,
  end,
  score,
  support: comparison.support.flatMap((index) => parts[index] ?? []).map(({ start, end }) => ({ start, end })),
  differences: differences.filter((kind) => comparison.differences[kind]),
})
