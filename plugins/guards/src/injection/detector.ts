import { Pacer, maxOf } from '@sallyport/core'
import type { Call, Finding, InjectionCapability, Inspection, InspectionRequest, Origin } from '@sallyport/core'
import { logistic, meanOfHighest } from '../heads/aggregate.js'
import type { WindowClassifier } from '../heads/classifier.js'
import type { NGrams, ScoredWindow } from '../heads/ngrams.js'
import { isForeign } from '../heads/language.js'
import { wordsOf } from '../heads/words.js'
import type { Word } from '../heads/words.js'
import type { View } from '../reading/view.js'
import { viewsOf } from '../reading/views.js'
import { likelihood } from '../rules/likelihood.js'
import type { RuleMatch, Rules } from '../rules/match.js'
import { combined, highestOf, leastShown, scoreOfRule } from '../scoring.js'
import { joined } from '../spans.js'
import { explanationOf } from './explanation.js'
import type { InjectionOptions } from './options.js'
import { withoutQuotation } from './questions.js'

interface Parts {
  readonly rules: Rules
  readonly classifier?: WindowClassifier
  readonly ngrams?: NGrams
  readonly options: Pick<InjectionOptions, 'operatingPoint'>
}

interface ReadWindow extends ScoredWindow {
  /** Whether it is rather in another language than in English. */
  readonly foreign: boolean
}

/** What one way to read a text came to. */
interface ReadView {
  readonly view: View
  /** Of the model, in the text of the view. */
  readonly read: readonly ScoredWindow[]
  /** By head; the spans are those of the original. */
  readonly windows: readonly (readonly ReadWindow[])[]
  /** The spans are those of the original. */
  readonly rules: readonly RuleMatch[]
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
export class InjectionDetector implements InjectionCapability {
  constructor(private readonly parts: Parts) {}

  async inspect(request: InspectionRequest, call: Call): Promise<Inspection> {
    const { text } = request
    // Where a system message goes on in a turn, most of what is read may be orders that it gives.
    const origin = request.from === undefined ? request.origin : 'system'
    call.signal.throwIfAborted()
    const begin = performance.now()
    const pacer = new Pacer(call)
    const views: ReadView[] = []
    for (const view of await viewsOf(withoutQuotation(request) ?? text, pacer))
      views.push(await this.read(view, views, pacer, call))
    const scores = views.map((view) => this.score(view, origin))
    const score = logistic(maxOf(scores))
    const findings = views.flatMap((view, index) => this.findings(view, scores[index] ?? 0, origin))
    const families = new Set(views.flatMap(({ rules }) => rules.map(({ family }) => family)))
    const worst = views[scores.indexOf(maxOf(scores))]
    return {
      findings: findings.filter(({ start, end }) => end > start),
      score,
      explanation: explanationOf({
        score,
        families,
        hidden: worst?.view.hidden ?? false,
        document: isDocument(origin),
      }),
      detector: this.name,
      latency: performance.now() - begin,
    }
  }

  private get name(): string {
    const heads = [this.parts.ngrams && 'ngrams', this.parts.classifier && 'model'].filter(Boolean)
    return `injection-${['rules', ...heads].join('-')}/1`
  }

  /** @param others the model need not read again what they have as it stands here */
  private async read(view: View, others: readonly ReadView[], pacer: Pacer, call: Call): Promise<ReadView> {
    const { classifier, ngrams } = this.parts
    const words = await wordsOf(view.text, pacer)
    const other = others.find((one) => one.view === view.copied?.from)
    const isKnown = other && view.copied?.holds
    const [read, byGrams, rules] = await Promise.all([
      view.light || view.spelled
        ? undefined
        : classifier?.score(view.text, pacer, call, { ...(isKnown && { isKnown }) }),
      view.spelled ? undefined : ngrams?.score(words, pacer),
      this.rules(view, words, pacer),
    ])
    const known = other?.read.filter(({ start, end }) => view.copied?.has(start, end)) ?? []
    const byModel = read && [
      ...(await placed(read, view, pacer)),
      ...(other ? await placed(known, other.view, pacer) : []),
    ]
    const windows = [byModel, byGrams && (await placed(byGrams, view, pacer))].filter((some) => some !== undefined)
    return { view, read: read ?? [], windows, rules }
  }

  private async rules(view: View, words: readonly Word[], pacer: Pacer): Promise<RuleMatch[]> {
    const matches = await this.parts.rules.find(view.text, words, pacer)
    return matches.map((match) => ({ ...match, ...view.place(match.start, match.end) }))
  }

  /** Logit; 0 is where it is as likely an attack as not. */
  private score({ view, windows, rules }: ReadView, origin: Origin | undefined): number {
    const heads = windows.map((ofHead) => headScore(ofHead, origin))
    const mean = heads.length > 0 ? heads.reduce((sum, value) => sum + value, 0) / heads.length : -Infinity
    const byHeads = mean - this.limit(origin)
    const inQuotes = isDocument(origin) ? 1 : shareOfQuoted
    const byRules = likelihood(rules.map(({ family, quoted }) => ({ family, share: quoted ? inQuotes : 1 })))
    return combined(byHeads, byRules, heads.length > 0 || view.spelled ? sure : 0)
  }

  private findings({ windows, rules }: ReadView, score: number, origin: Origin | undefined): Finding[] {
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

const placed = async (windows: readonly ScoredWindow[], { text, place }: View, pacer: Pacer): Promise<ReadWindow[]> => {
  const there: ReadWindow[] = []
  for (const { start, end, logits } of windows) {
    there.push({ logits, ...place(start, end), foreign: isForeign(text.slice(start, end)) })
    await pacer.pause()
  }
  return there
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
