import { plainReading, Pacer } from '@sallyport/core'
import type { Call, Finding, Inspection, InspectionRequest, ToxicityCapability } from '@sallyport/core'
import { logistic, logit } from '../heads/aggregate.js'
import type { WindowClassifier } from '../heads/classifier.js'
import type { ScoredWindow } from '../heads/ngrams.js'
import { wordsOf } from '../heads/words.js'
import { unfoldedView } from '../reading/unfolded.js'
import { plainView } from '../reading/view.js'
import type { View } from '../reading/view.js'
import { likelihood } from '../rules/likelihood.js'
import type { Family } from '../rules/family.js'
import type { Rules } from '../rules/match.js'
import { joined, leadLength, moved } from '../spans.js'
import type { ToxicityOptions } from './options.js'

interface Parts {
  readonly rules: Rules
  readonly classifier: WindowClassifier
  readonly options: Pick<ToxicityOptions, 'labels' | 'operatingPoint'>
}

interface FoundRule extends Finding {
  readonly family: Family
  /** How much of its score counts, in 0..1. */
  readonly share: number
}

/** Rules that are as sure as this decide alone; others add to what the model says. */
const sure = 0.7
const weightOfRules = 3.5
/** Who tells of an insult quotes it: what stands in quotation marks counts for less. */
const inQuotes = 0.3
/** Behind one of these a text begins anew: the model need not read what stands before it, which takes as long again. */
const sentenceEnd = /(?:[.!?…。！？]["'”’)\]]*|\n)\s*$/u
/** Windows with less are no reason, in logits from the operating point. */
const least = -1

/** Toxic text, by a model and rules. */
export class ToxicityDetector implements ToxicityCapability {
  constructor(private readonly parts: Parts) {}

  async inspect({ text, before = '' }: InspectionRequest, call: Call): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const pacer = new Pacer(call)
    const lead = before.slice(-leadLength)
    const leads = sentenceEnd.test(lead) ? [] : await viewsOf(lead, pacer)
    const windows: { view: View; window: ScoredWindow }[] = []
    for (const [index, view] of (await viewsOf(text, pacer)).entries()) {
      const read = (leads[index] ?? leads[0])?.text
      for (const window of await this.parts.classifier.score(view.text, pacer, call, {
        ...(read !== undefined && { before: read }),
        ...(view.copied && { isKnown: view.copied.holds }),
      }))
        windows.push({ view, window })
    }
    const rules = await this.rules(lead, text, pacer)
    const { operatingPoint } = this.parts.options
    const values = windows.map(({ window }) => (window.logits[0] ?? -Infinity) - operatingPoint)
    const byRules = likelihood(rules)
    const highest = values.reduce((worst, value) => Math.max(worst, value), -Infinity)
    const total = Math.max(highest + weightOfRules * byRules, byRules >= sure ? logit(byRules) : -Infinity)
    const limit = rules.length > 0 ? 0 : Math.min(0, highest)
    const toxic = windows.filter((_, index) => total >= 0 && (values[index] ?? -Infinity) >= limit)
    const score = logistic(total)
    const byModel = this.findings(toxic, score)
    const found = rules.map(({ type, start, end, score: own }) => {
      return { type, start, end, score: total < 0 ? Math.min(own, 0.49) : Math.max(own, Math.min(score, 0.99)) }
    })
    return {
      findings: [...found, ...byModel].filter(({ start, end }) => end > start),
      score,
      explanation: this.explanation(
        score,
        rules,
        highest > least ? windows[values.indexOf(highest)]?.window : undefined,
      ),
      detector: 'toxicity-rules-model/1',
      latency: performance.now() - begin,
    }
  }

  /** Those that end in the text. */
  private async rules(lead: string, text: string, pacer: Pacer): Promise<FoundRule[]> {
    const found: FoundRule[] = []
    for (const view of await viewsOf(lead + text, pacer))
      for (const { family, start, end, quoted } of await this.parts.rules.find(
        view.text,
        await wordsOf(view.text, pacer),
        pacer,
      ))
        found.push({
          family,
          type: family.id,
          ...view.place(start, end),
          score: family.score,
          share: quoted ? inQuotes : 1,
        })
    return found
      .filter(({ end }) => end > lead.length)
      .map((finding) => ({ ...finding, ...moved(finding, lead.length) }))
  }

  /** Windows that touch are one finding where they read like the same category. */
  private findings(windows: readonly { view: View; window: ScoredWindow }[], score: number): Finding[] {
    const placed = windows.map(({ view, window }) => ({
      type: this.category(window) ?? 'toxicity',
      span: view.place(window.start, window.end),
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
    const best = categories.indexOf(Math.max(...categories))
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

const viewsOf = async (text: string, pacer: Pacer): Promise<View[]> => {
  const plain = plainView(await plainReading(text, pacer))
  const unfolded = await unfoldedView(plain, pacer)
  return unfolded ? [plain, unfolded] : [plain]
}
