import { maxOf } from '@sallyport/kit/lists'
import type { Call, Finding, Detector, Inspection, InspectionRequest, Origin } from '@sallyport/core'
import type { WindowClassifier } from '../heads/classifier.js'
import { combined, joined, leastShown, likelihood, logistic, meanOfHighest, scoreOfRule } from '../scoring.js'
import type { InjectionOptions } from './options.js'
import { withoutQuotation } from './questions.js'
import type { InjectionTextReader, ReadView, ReadWindow } from './reader.js'

interface Parts {
  readonly reader: InjectionTextReader
  readonly classifier?: WindowClassifier
  readonly options: Pick<InjectionOptions, 'operatingPoint' | 'ngrams'>
}

/** What one way to read a text came to. */
interface HeadedView extends ReadView {
  /** What each head has read. */
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
export class InjectionDetector implements Detector {
  private readonly name: string

  constructor(private readonly parts: Parts) {
    const heads = [parts.options.ngrams && 'ngrams', parts.classifier && 'model'].filter(Boolean)
    this.name = `injection-${['rules', ...heads].join('-')}/1`
  }

  async inspect(request: InspectionRequest, call: Call): Promise<Inspection> {
    // Where a system message goes on in a turn, most of what is read may be orders that it gives.
    const origin = request.from === undefined ? request.origin : 'system'
    call.signal.throwIfAborted()
    const begin = performance.now()
    const read = await this.parts.reader.read({ text: withoutQuotation(request) ?? request.text }, call)
    const views = await this.headed(read, call)
    const scores = views.map((view) => this.score(view, origin))
    const score = logistic(maxOf(scores))
    const findings = views.flatMap((view, index) => this.findings(view, scores[index] ?? 0, origin))
    const reasons = new Set(views.flatMap(({ rules }) => rules.map(({ family }) => family.explanation)))
    const worst = views[scores.indexOf(maxOf(scores))]
    return {
      findings: findings.filter(({ start, end }) => end > start),
      score,
      explanation: explanationOf(score, [...reasons], worst?.hidden ?? false, isDocument(origin)),
      detector: this.name,
      latency: performance.now() - begin,
    }
  }

  /** The views as the model has read them, too. */
  private async headed(read: readonly ReadView[], call: Call): Promise<HeadedView[]> {
    const scored = await this.parts.classifier?.scored(
      read.flatMap(({ asked = [] }) => asked),
      call,
    )
    let from = 0
    return read.map((view) => {
      const byModel = view.asked && scored?.slice(from, (from += view.asked.length))
      return { ...view, windows: [byModel, view.byGrams].filter((some) => some !== undefined) }
    })
  }

  /** Logit; 0 is where it is as likely an attack as not. */
  private score({ spelled, windows, rules }: HeadedView, origin: Origin | undefined): number {
    const heads = windows.map((ofHead) => headScore(ofHead, origin))
    const mean = heads.length > 0 ? heads.reduce((sum, value) => sum + value, 0) / heads.length : -Infinity
    const byHeads = mean - this.limit(origin)
    const inQuotes = isDocument(origin) ? 1 : shareOfQuoted
    const byRules = likelihood(rules.map(({ family, quoted }) => ({ family, share: quoted ? inQuotes : 1 })))
    return combined(byHeads, byRules, heads.length > 0 || spelled ? sure : 0)
  }

  private findings({ windows, rules }: HeadedView, score: number, origin: Origin | undefined): Finding[] {
    const byRules = rules.map(({ family, start, end }) => {
      return { type: family.id, start, end, score: scoreOfRule(family.score, score) }
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
  const highest = maxOf(scores)
  return isDocument(origin) ? highest : Math.max(meanOfHighest(scores, countedWindows), highest - marginAlone)
}

/**
 * For a person; quotes nothing of the text.
 * @param hidden whether what decided was hidden in the text
 */
const explanationOf = (score: number, reasons: readonly string[], hidden: boolean, document: boolean): string => {
  if (score < 0.5) return reasons.length ? `no attack, though it ${listed(reasons)}` : 'no attack found'
  const what = document ? 'an order planted in a document' : 'an attack on what the model was told to do'
  const how = hidden ? ', hidden by its spelling or encoding' : ''
  return `${what}${how}: ${reasons.length ? `it ${listed(reasons)}` : 'its wording is like that of known ones'}`
}

const listed = (reasons: readonly string[]): string =>
  reasons.length > 1 ? `${reasons.slice(0, -1).join(', ')} and ${reasons.at(-1) ?? ''}` : (reasons[0] ?? '')
