import { maxOf } from '@sallyport/kit/lists'
import type { Call, Finding, Inspection, InspectionRequest, Safeguard } from '@sallyport/core'
import { logistic } from '../heads/aggregate.js'
import type { WindowClassifier } from '../heads/classifier.js'
import type { ScoredWindow } from '../heads/ngrams.js'
import { likelihood } from '../rules/likelihood.js'
import type { Family } from '../rules/family.js'
import type { FoundRule } from '../rules/match.js'
import { combined, highestOf, leastShown, scoreOfRule } from '../scoring.js'
import { joined, leadLength } from '../spans.js'
import type { TextReader } from '../threads/threaded-reader.js'
import type { ToxicityOptions } from './options.js'
import type { LedText, ReadText } from './reader.js'

interface Parts {
  readonly reader: TextReader<LedText, ReadText>
  /** Those of the reader's rules. */
  readonly families: readonly Family[]
  readonly classifier: WindowClassifier
  readonly options: Pick<ToxicityOptions, 'labels' | 'operatingPoint'>
}

interface RuleFinding extends Finding {
  readonly family: Family
  /** How much of its score counts, in 0..1. */
  readonly share: number
}

/** A window that the model has read. */
interface ReadWindow extends ScoredWindow {
  /** Logit of toxic text above the operating point. */
  readonly value: number
}

/** Rules that are as sure as this decide alone. */
const sure = 0.7
/** Who tells of an insult quotes it: what stands in quotation marks counts for less. */
const inQuotes = 0.3
/** Windows with less are no reason, in logits from the operating point. */
const least = -1

/** Toxic text, by a model and rules. */
export class ToxicityDetector implements Safeguard {
  constructor(private readonly parts: Parts) {}

  async inspect({ text, before = '' }: InspectionRequest, call: Call): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const read = await this.parts.reader.read({ lead: before.slice(-leadLength), text }, call)
    const windows = await this.scored(read, call)
    const rules = read.rules.map((rule) => this.ruleFinding(rule))
    const values = windows.map(({ value }) => value)
    const highest = highestOf(values)
    const total = combined(highest, likelihood(rules), sure)
    const score = logistic(total)
    const from = leastShown(values, rules.length > 0)
    const toxic = total < 0 ? [] : windows.filter(({ value }) => value >= from)
    const found = rules.map(({ type, start, end, score: own }) => {
      return { type, start, end, score: scoreOfRule(own, total) }
    })
    const worst = highest > least ? windows[values.indexOf(highest)] : undefined
    return {
      findings: [...found, ...this.findings(toxic, score)].filter(({ start, end }) => end > start),
      score,
      explanation: this.explanation(score, rules, worst),
      detector: 'toxicity-rules-model/1',
      latency: performance.now() - begin,
    }
  }

  private async scored({ asked }: ReadText, call: Call): Promise<ReadWindow[]> {
    const scores = new Map<string, number[]>()
    await this.parts.classifier.score(asked, scores, call)
    return asked.map(({ start, end, read }) => {
      const logits = scores.get(read) ?? []
      return { start, end, logits, value: (logits[0] ?? -Infinity) - this.parts.options.operatingPoint }
    })
  }

  private ruleFinding({ family: place, start, end, quoted }: FoundRule): RuleFinding {
    const family = this.parts.families[place]
    if (!family) throw new RangeError('a rule of no family')
    return { family, type: family.id, start, end, score: family.score, share: quoted ? inQuotes : 1 }
  }

  /** Windows that touch are one finding where they read like the same category. */
  private findings(windows: readonly ReadWindow[], score: number): Finding[] {
    const placed = windows.map((window) => ({
      type: this.category(window) ?? 'toxicity',
      span: { start: window.start, end: window.end },
    }))
    return [...new Set(placed.map(({ type }) => type))].flatMap((type) =>
      joined(placed.filter((one) => one.type === type).map(({ span }) => span)).map((span) => ({
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

  private explanation(score: number, rules: readonly RuleFinding[], worst: ScoredWindow | undefined): string {
    if (score < 0.5) return 'nothing toxic found'
    const reasons = [...new Set(rules.map(({ family }) => family.explanation))]
    if (reasons.length > 0) return `toxic: it ${reasons.join(' and ')}`
    const name = worst && this.parts.options.labels.categories[this.category(worst) ?? '']
    return name ? `toxic: it reads like ${name}` : 'toxic: its wording is like that of known toxic texts'
  }
}
