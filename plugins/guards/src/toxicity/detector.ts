import { Pacer, maxOf, plainReading } from '@sallyport/core'
import type { Call, Finding, Inspection, InspectionRequest, ToxicityCapability } from '@sallyport/core'
import { logistic } from '../heads/aggregate.js'
import type { WindowClassifier } from '../heads/classifier.js'
import type { ScoredWindow } from '../heads/ngrams.js'
import { wordsOf } from '../heads/words.js'
import { unfoldedView } from '../reading/unfolded.js'
import { plainView } from '../reading/view.js'
import type { View } from '../reading/view.js'
import { likelihood } from '../rules/likelihood.js'
import type { Family } from '../rules/family.js'
import type { Rules } from '../rules/match.js'
import { combined, highestOf, leastShown, scoreOfRule } from '../scoring.js'
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

/** A window of a view. */
interface Read {
  readonly view: View
  readonly window: ScoredWindow
  /** Logit of toxic text above the operating point. */
  readonly value: number
}

/** Rules that are as sure as this decide alone. */
const sure = 0.7
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
    const windows = await this.read(lead, text, pacer, call)
    const rules = await this.rules(lead, text, pacer)
    const values = windows.map(({ value }) => value)
    const highest = highestOf(values)
    const total = combined(highest, likelihood(rules), sure)
    const score = logistic(total)
    const from = leastShown(values, rules.length > 0)
    const toxic = total < 0 ? [] : windows.filter(({ value }) => value >= from)
    const found = rules.map(({ type, start, end, score: own }) => {
      return { type, start, end, score: scoreOfRule(own, total) }
    })
    const worst = highest > least ? windows[values.indexOf(highest)]?.window : undefined
    return {
      findings: [...found, ...this.findings(toxic, score)].filter(({ start, end }) => end > start),
      score,
      explanation: this.explanation(score, rules, worst),
      detector: 'toxicity-rules-model/1',
      latency: performance.now() - begin,
    }
  }

  private async read(lead: string, text: string, pacer: Pacer, call: Call): Promise<Read[]> {
    const leads = sentenceEnd.test(lead) ? [] : await viewsOf(lead, pacer)
    const read: Read[] = []
    for (const [index, view] of (await viewsOf(text, pacer)).entries()) {
      const before = (leads[index] ?? leads[0])?.text
      const windows = await this.parts.classifier.score(view.text, pacer, call, {
        ...(before !== undefined && { before }),
        ...(view.copied && { isKnown: view.copied.holds }),
      })
      for (const window of windows)
        read.push({ view, window, value: (window.logits[0] ?? -Infinity) - this.parts.options.operatingPoint })
    }
    return read
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
  private findings(windows: readonly Read[], score: number): Finding[] {
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

const viewsOf = async (text: string, pacer: Pacer): Promise<View[]> => {
  const plain = plainView(await plainReading(text, pacer))
  const unfolded = await unfoldedView(plain, pacer)
  return unfolded ? [plain, unfolded] : [plain]
}
