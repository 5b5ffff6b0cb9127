import { Turns } from '@sallyport/core'
import type { Call, Finding, InjectionCapability, Inspection, InspectionRequest, Origin } from '@sallyport/core'
import { logistic, logit, meanOfHighest } from '../heads/aggregate.js'
import type { WindowClassifier } from '../heads/classifier.js'
import type { NGrams, ScoredWindow } from '../heads/ngrams.js'
import { wordsOf } from '../heads/words.js'
import type { Word } from '../heads/words.js'
import type { Span, View } from '../reading/view.js'
import { viewsOf } from '../reading/views.js'
import type { Family } from '../rules/family.js'
import { likelihood } from '../rules/likelihood.js'
import type { Rules } from '../rules/match.js'
import { joined, leadLength, moved } from '../spans.js'
import { explanationOf } from './explanation.js'
import type { InjectionOptions } from './options.js'

interface Parts {
  readonly rules: Rules
  readonly classifier?: WindowClassifier
  readonly ngrams?: NGrams
  readonly options: Pick<InjectionOptions, 'labels' | 'operatingPoint'>
}

/** A rule that fits; the span is one of the original. */
interface FoundRule extends Span {
  readonly family: Family
  /** Whether it begins a quotation in a text about something else. */
  readonly quoted: boolean
}

/** What one reading of a text came to. */
interface Reading {
  readonly view: View
  /** By head. */
  readonly windows: readonly (readonly ScoredWindow[])[]
  readonly rules: readonly FoundRule[]
}

/** Windows that count in a prompt: one that is odd is no attack yet. */
const countedWindows = 3
/** Rules that are as sure as this decide alone; others add to what the heads say. */
const sure = 0.85
const weightOfRules = 3.5
/** Who asks about attacks quotes them; in documents, quotation marks stand around everything. */
const shareOfQuoted = 0.4
/** The end of what stands before a quotation: words, and a mark that opens it. */
const quotation = /\p{L}{2}[\p{L}\s:,]{6,22}["'`«„(]{1,2}$/u

/** Attacks on instructions, by rules and one or two heads. */
export class InjectionDetector implements InjectionCapability {
  constructor(private readonly parts: Parts) {}

  async inspect({ text, before = '', origin }: InspectionRequest, call: Call): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const turns = new Turns(call)
    const lead = before.slice(-leadLength)
    const acrossLead = lead ? await this.rulesAcross(lead, text, turns) : []
    const readings: Reading[] = []
    for (const view of await viewsOf(text, turns)) readings.push(await this.read(view, acrossLead, turns, call))
    const scores = readings.map((reading) => this.score(reading, origin))
    const score = logistic(Math.max(...scores))
    const findings = readings.flatMap((reading, index) => this.findings(reading, scores[index] ?? 0, origin))
    const families = new Set(readings.flatMap(({ rules }) => rules.map(({ family }) => family)))
    const worst = readings[scores.indexOf(Math.max(...scores))]
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

  private async read(view: View, more: readonly FoundRule[], turns: Turns, call: Call): Promise<Reading> {
    const { classifier, ngrams, options } = this.parts
    const { attack, planted } = options.labels
    const words = await wordsOf(view.text, turns)
    const [byModel, byGrams, rules] = await Promise.all([
      classifier?.score(view.text, [attack, planted], turns, call),
      ngrams?.score(words, turns),
      this.rules(view, words, turns),
    ])
    return { view, windows: [byModel, byGrams].filter((windows) => windows !== undefined), rules: [...rules, ...more] }
  }

  private async rules(view: View, words: readonly Word[], turns: Turns): Promise<FoundRule[]> {
    const matches = await this.parts.rules.find(view.text, words, turns)
    return matches.map(({ family, start, end }) => ({
      family,
      quoted: isQuoted(view.text, start),
      ...view.place(start, end),
    }))
  }

  /** Those that begin in what stands before the text, and end in the text. */
  private async rulesAcross(lead: string, text: string, turns: Turns): Promise<FoundRule[]> {
    const found: FoundRule[] = []
    for (const view of await viewsOf(lead + text.slice(0, leadLength), turns))
      found.push(...(await this.rules(view, await wordsOf(view.text, turns), turns)))
    return found
      .filter(({ start, end }) => start < lead.length && end > lead.length)
      .map((rule) => moved(rule, lead.length))
  }

  /** Logit; 0 is where it is as likely an attack as not. */
  private score({ windows, rules }: Reading, origin: Origin | undefined): number {
    const { operatingPoint } = this.parts.options
    const heads = windows.map((scored) => headScore(scored, origin))
    const mean = heads.length > 0 ? heads.reduce((sum, value) => sum + value, 0) / heads.length : -Infinity
    const byHeads = mean - (isDocument(origin) ? operatingPoint.document : operatingPoint.prompt)
    const inQuotes = isDocument(origin) ? 1 : shareOfQuoted
    const byRules = likelihood(rules.map(({ family, quoted }) => ({ family, share: quoted ? inQuotes : 1 })))
    return Math.max(
      byHeads + weightOfRules * byRules,
      byRules >= sure || heads.length === 0 ? logit(byRules) : -Infinity,
    )
  }

  private findings({ view, windows, rules }: Reading, score: number, origin: Origin | undefined): Finding[] {
    const byRules = rules.map(({ family, start, end }) => ({
      type: family.id,
      start,
      end,
      score: Math.max(family.score, Math.min(logistic(score), 0.99)),
    }))
    if (score < 0) return byRules.map((finding) => ({ ...finding, score: Math.min(finding.score, 0.49) }))
    const all = windows.flat().map((window) => ({ window, value: windowScore(window, origin) }))
    const limit = isDocument(origin)
      ? this.parts.options.operatingPoint.document
      : this.parts.options.operatingPoint.prompt
    const highest = all.reduce((most, { value }) => Math.max(most, value), -Infinity)
    // where rules alone decided, they show where
    const from = rules.length > 0 ? limit : Math.min(limit, highest)
    const spans = all.filter(({ value }) => value >= from).map(({ window }) => view.place(window.start, window.end))
    return [...byRules, ...joined(spans).map((span) => ({ type: 'injection', ...span, score: logistic(score) }))]
  }
}

const isQuoted = (text: string, start: number): boolean => quotation.test(text.slice(Math.max(0, start - 24), start))

const isDocument = (origin: Origin | undefined): boolean => origin === 'document' || origin === 'tool'

const windowScore = ({ logits }: ScoredWindow, origin: Origin | undefined): number => {
  const [attack = 0, planted = -Infinity] = logits
  return isDocument(origin) && planted > -Infinity ? attack + planted : attack
}

const headScore = (windows: readonly ScoredWindow[], origin: Origin | undefined): number =>
  meanOfHighest(
    windows.map((window) => windowScore(window, origin)),
    isDocument(origin) ? 1 : countedWindows,
  )
