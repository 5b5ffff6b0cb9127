import { maxOf } from '@sallyport/kit/lists'
import type { Call, Finding, Inspection, InspectionRequest, Detector } from '@sallyport/core'
import type { WindowClassifier } from '../heads/classifier.js'
import type { ScoredWindow } from '../heads/ngrams.js'
import type { FoundRule } from '../rules/match.js'
import { combined, joined, leastShown, likelihood, logistic, scoreOfRule } from '../scoring.js'
import type { ToxicityOptions } from './options.js'
import type { ToxicityTextReader } from './reader.js'

interface Parts {
  readonly reader: ToxicityTextReader
  readonly classifier: WindowClassifier
  readonly options: Pick<ToxicityOptions, 'labels' | 'operatingPoint'>
}

/** UTF-16 units of what stands before a text that are read with it: what is looked for may begin there. */
const leadLength = 400
/** Rules that are as sure as this decide alone. */
const sure = 0.7
/** Who tells of an insult quotes it: what stands in quotation marks counts for less. */
const inQuotes = 0.3
/** Windows with less are no reason, in logits from the operating point. */
const leastReason = -1

/** Toxic text, by a model and rules. */
export class ToxicityDetector implements Detector {
  constructor(private readonly parts: Parts) {}

  async inspect({ text, before = '' }: InspectionRequest, call: Call): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const { reader, classifier, options } = this.parts
    const { asked, rules } = await reader.read({ lead: before.slice(-leadLength), text }, call)
    const windows = await classifier.scored(asked, call)
    const values = windows.map(({ logits }) => (logits[0] ?? -Infinity) - options.operatingPoint)
    const highest = maxOf(values)
    const byRules = likelihood(rules.map(({ family, quoted }) => ({ family, share: quoted ? inQuotes : 1 })))
    const total = combined(highest, byRules, sure)
    const score = logistic(total)
    const from = leastShown(values, rules.length > 0)
    const toxic = total < 0 ? [] : windows.filter((_, at) => (values[at] ?? -Infinity) >= from)
    const found = rules.map(({ family, start, end }) => {
      return { type: family.id, start, end, score: scoreOfRule(family.score, total) }
    })
    const worst = highest > leastReason ? windows[values.indexOf(highest)] : undefined
    return {
      findings: [...found, ...this.findings(toxic, score)].filter(({ start, end }) => end > start),
      score,
      explanation: this.explanation(score, rules, worst),
      detector: 'toxicity-rules-model/1',
      latency: performance.now() - begin,
    }
  }

  /** Windows that touch are one finding where they read like the same category. */
  private findings(windows: readonly ScoredWindow[], score: number): Finding[] {
    const placed = windows.map((window) => ({ type: this.category(window) ?? 'toxicity', window }))
    return [...new Set(placed.map(({ type }) => type))].flatMap((type) =>
      joined(placed.filter((one) => one.type === type).map(({ window }) => window)).map((span) => ({
        type,
        ...span,
        score,
      })),
    )
  }

  /** The label of the category that a window reads like, where it reads like one. */
  private category({ logits }: ScoredWindow): string | undefined {
    const [, ...categories] = logits
    const best = categories.indexOf(maxOf(categories))
    return (categories[best] ?? -Infinity) > 0 ? Object.keys(this.parts.options.labels.categories)[best] : undefined
  }

  private explanation(score: number, rules: readonly FoundRule[], worst: ScoredWindow | undefined): string {
    if (score < 0.5) return 'nothing toxic found'
    const reasons = [...new Set(rules.map(({ family }) => family.explanation))]
    if (reasons.length > 0) return `toxic: it ${reasons.join(' and ')}`
    const name = worst && this.parts.options.labels.categories[this.category(worst) ?? '']
    return name ? `toxic: it reads like ${name}` : 'toxic: its wording is like that of known toxic texts'
  }
}
