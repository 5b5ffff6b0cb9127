import { maxOf } from '@sallyport/kit/lists'
import type { Call, Finding, Safeguard, Inspection, InspectionRequest, Origin } from '@sallyport/core'
import { logistic, meanOfHighest } from '../heads/aggregate.js'
import type { WindowClassifier } from '../heads/classifier.js'
import type { Family } from '../rules/family.js'
import { likelihood } from '../rules/likelihood.js'
import type { FoundRule } from '../rules/match.js'
import { combined, highestOf, leastShown, scoreOfRule } from '../scoring.js'
import { joined } from '../spans.js'
import type { TextReader } from '../threads/threaded-reader.js'
import { explanationOf } from './explanation.js'
import type { InjectionOptions } from './options.js'
import { withoutQuotation } from './questions.js'
import type { ReadView, ReadWindow } from './reader.js'

interface Parts {
  readonly reader: TextReader<string, ReadView[]>
  /** Those of the reader's rules. */
  readonly families: readonly Family[]
  readonly hasGrams: boolean
  readonly classifier?: WindowClassifier
  readonly options: Pick<InjectionOptions, 'operatingPoint'>
}

/** What one way to read a text came to. */
interface HeadedView extends ReadView {
  /** By head. */
  readonly windows: readonly (readonly ReadWindow[])[]
}

/** Windows that count in a prompt: one that is odd is no attack yet, but where it is surer by so many logits. */
const [countedWindows, marginAlone] = [3, 1.8]
/** Rules that are as sure as this decide alone. */
const sure = 0.85
/**
 * Logits that the heads must be surer of in other languages: they have seen hardly anything harmless there, and take
 * some of it for attacks. The rules know those languages.
 */
const marginAbroad = 5
/** Who asks about attacks quotes them; in documents, quotation marks stand around everything. */
const shareOfQuoted = 0.4

/** Attacks on instructions, by rules and one or two heads. */
export class InjectionDetector implements Safeguard {
  constructor(private readonly parts: Parts) {}

  async inspect(request: InspectionRequest, call: Call): Promise<Inspection> {
    const { text } = request
    // Where a system message goes on in a turn, most of what is read may be orders that it gives.
    const origin = request.from === undefined ? request.origin : 'system'
    call.signal.throwIfAborted()
    const begin = performance.now()
    const read = await this.parts.reader.read(withoutQuotation(request) ?? text, call)
    const views = await this.headed(read, call)
    const scores = views.map((view) => this.score(view, origin))
    const score = logistic(maxOf(scores))
    const findings = views.flatMap((view, index) => this.findings(view, scores[index] ?? 0, origin))
    const families = new Set(views.flatMap(({ rules }) => rules.map((rule) => this.family(rule))))
    const worst = views[scores.indexOf(maxOf(scores))]
    return {
      findings: findings.filter(({ start, end }) => end > start),
      score,
      explanation: explanationOf({
        score,
        families,
        hidden: worst?.hidden ?? false,
        document: isDocument(origin),
      }),
      detector: this.name,
      latency: performance.now() - begin,
    }
  }

  private get name(): string {
    const heads = [this.parts.hasGrams && 'ngrams', this.parts.classifier && 'model'].filter(Boolean)
    return `injection-${['rules', ...heads].join('-')}/1`
  }

  /** The views as the model has read them, too. */
  private async headed(read: readonly ReadView[], call: Call): Promise<HeadedView[]> {
    const scores = new Map<string, number[]>()
    const views: HeadedView[] = []
    for (const view of read) {
      await this.parts.classifier?.score(view.asked ?? [], scores, call)
      const byModel = view.asked?.map((window) => ({ ...window, logits: scores.get(window.read) ?? [] }))
      views.push({ ...view, windows: [byModel, view.byGrams].filter((some) => some !== undefined) })
    }
    return views
  }

  private family({ family }: FoundRule): Family {
    const known = this.parts.families[family]
    if (!known) throw new RangeError('a rule of no family')
    return known
  }

  /** Logit; 0 is where it is as likely an attack as not. */
  private score({ spelled, windows, rules }: HeadedView, origin: Origin | undefined): number {
    const heads = windows.map((ofHead) => headScore(ofHead, origin))
    const mean = heads.length > 0 ? heads.reduce((sum, value) => sum + value, 0) / heads.length : -Infinity
    const byHeads = mean - this.limit(origin)
    const inQuotes = isDocument(origin) ? 1 : shareOfQuoted
    const byRules = likelihood(rules.map((rule) => ({ family: this.family(rule), share: rule.quoted ? inQuotes : 1 })))
    return combined(byHeads, byRules, heads.length > 0 || spelled ? sure : 0)
  }

  private findings({ windows, rules }: HeadedView, score: number, origin: Origin | undefined): Finding[] {
    const byRules = rules.map((rule) => {
      const { id, score: own } = this.family(rule)
      return { type: id, start: rule.start, end: rule.end, score: scoreOfRule(own, score) }
    })
    if (score < 0) return byRules
    const all = windows.flat()
    const values = all.map((window) => windowScore(window, origin) - this.limit(origin))
    const least = leastShown(values, rules.length > 0)
    const spans = all.filter((_, index) => (values[index] ?? -Infinity) >= least)
    return [...byRules, ...joined(spans).map((span) => ({ type: 'injection', ...span, score: logistic(score) }))]
  }

  /** Logit of heads at which the score is 0.5. */
  private limit(origin: Origin | undefined): number {
    const { document, system, prompt } = this.parts.options.operatingPoint
    return isDocument(origin) ? document : origin === 'system' ? system : prompt
  }
}

const isDocument = (origin: Origin | undefined): boolean => origin === 'document' || origin === 'tool'

const windowScore = ({ logits, foreign }: ReadWindow, origin: Origin | undefined): number => {
  const [attack = 0, planted = -Infinity] = logits
  const own = isDocument(origin) && planted > -Infinity ? attack + planted : attack
  return foreign ? own - marginAbroad : own
}

const headScore = (windows: readonly ReadWindow[], origin: Origin | undefined): number => {
  const scores = windows.map((window) => windowScore(window, origin))
  const highest = highestOf(scores)
  return isDocument(origin) ? highest : Math.max(meanOfHighest(scores, countedWindows), highest - marginAlone)
}
