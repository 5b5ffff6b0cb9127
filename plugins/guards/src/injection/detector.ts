import { Turns } from '@sallyport/core'
import type { Call, Finding, InjectionCapability, Inspection, InspectionRequest, Origin } from '@sallyport/core'
import { logistic, logit, meanOfHighest } from '../heads/aggregate.js'
import type { WindowClassifier } from '../heads/classifier.js'
import type { NGrams, ScoredWindow } from '../heads/ngrams.js'
import { wordsOf } from '../heads/words.js'
import type { View } from '../reading/view.js'
import { viewsOf } from '../reading/views.js'
import type { Family } from '../rules/family.js'
import type { RuleMatch, Rules } from '../rules/match.js'
import { explanationOf } from './explanation.js'
import type { InjectionOptions } from './options.js'

interface Parts {
  readonly rules: Rules
  readonly classifier?: WindowClassifier
  readonly ngrams?: NGrams
  readonly options: Pick<InjectionOptions, 'labels' | 'operatingPoint'>
}

/** What one reading of a text came to. */
interface Reading {
  readonly view: View
  /** By head. */
  readonly windows: readonly (readonly ScoredWindow[])[]
  readonly matches: readonly RuleMatch[]
}

/** Windows that count in a prompt: one that is odd is no attack yet. */
const countedWindows = 3
/** Rules that are as sure as this decide alone; others add to what the heads say. */
const sure = 0.85
const weightOfRules = 2.5
/** UTF-16 units of what stands before a text that are read with it: attacks may begin there. */
const context = 400

/** Attacks on instructions, by rules and one or two heads. */
export class InjectionDetector implements InjectionCapability {
  constructor(private readonly parts: Parts) {}

  async inspect({ text, before = '', origin }: InspectionRequest, call: Call): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const turns = new Turns(call)
    const lead = before.slice(-context)
    const views = await viewsOf(lead + text, turns)
    const readings: Reading[] = []
    for (const view of views) readings.push(own(await this.read(view, turns, call), lead.length))
    const scores = readings.map((reading) => this.score(reading, origin))
    const score = logistic(Math.max(...scores))
    const findings = readings.flatMap((reading, index) => this.findings(reading, scores[index] ?? 0, origin))
    const families = new Set(readings.flatMap(({ matches }) => matches.map(({ family }) => family)))
    const worst = readings[scores.indexOf(Math.max(...scores))]
    return {
      findings: findings.map((finding) => moved(finding, lead.length)).filter(({ start, end }) => end > start),
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

  private async read(view: View, turns: Turns, call: Call): Promise<Reading> {
    const { classifier, ngrams, rules, options } = this.parts
    const { attack, planted } = options.labels
    const classified = classifier?.score(view.text, [attack, planted], turns, call)
    const words = await wordsOf(view.text, turns).catch(async (error: unknown) => {
      await classified?.catch(() => undefined)
      throw error
    })
    const matches = rules.find(view.text, words, turns)
    const [byModel, byGrams, found] = await Promise.all([classified, ngrams?.score(words, turns), matches])
    return { view, windows: [byModel, byGrams].filter((windows) => windows !== undefined), matches: found }
  }

  /** Logit; 0 is where it is as likely an attack as not. */
  private score({ windows, matches }: Reading, origin: Origin | undefined): number {
    const { operatingPoint } = this.parts.options
    const heads = windows.map((scored) => headScore(scored, origin))
    const mean = heads.length > 0 ? heads.reduce((sum, value) => sum + value, 0) / heads.length : -Infinity
    const byHeads = mean - (isDocument(origin) ? operatingPoint.document : operatingPoint.prompt)
    const byRules = likelihood(matches.map(({ family }) => family))
    return Math.max(
      byHeads + weightOfRules * byRules,
      byRules >= sure || heads.length === 0 ? logit(byRules) : -Infinity,
    )
  }

  private findings({ view, windows, matches }: Reading, score: number, origin: Origin | undefined): Finding[] {
    const byRules = matches.map(({ family, start, end }) => ({
      type: family.id,
      ...view.place(start, end),
      score: Math.max(family.score, Math.min(logistic(score), 0.99)),
    }))
    if (score < 0) return byRules.map((finding) => ({ ...finding, score: Math.min(finding.score, 0.49) }))
    const all = windows.flat().map((window) => ({ window, value: windowScore(window, origin) }))
    const limit = isDocument(origin)
      ? this.parts.options.operatingPoint.document
      : this.parts.options.operatingPoint.prompt
    const highest = Math.max(...all.map(({ value }) => value))
    // where rules alone decided, they show where
    const from = matches.length > 0 ? limit : Math.min(limit, highest)
    const spans = all.filter(({ value }) => value >= from).map(({ window }) => view.place(window.start, window.end))
    return [...byRules, ...joined(spans).map((span) => ({ type: 'injection', ...span, score: logistic(score) }))]
  }
}

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

/** How likely one of several families is right, each counted once. */
const likelihood = (families: readonly Family[]): number =>
  1 - [...new Set(families)].reduce((wrong, { score }) => wrong * (1 - score), 1)

/** Without what lies only in the text's lead. */
const own = (reading: Reading, lead: number): Reading => {
  if (lead === 0) return reading
  const reaches = ({ start, end }: { start: number; end: number }) => reading.view.place(start, end).end > lead
  return {
    ...reading,
    matches: reading.matches.filter(reaches),
    windows: reading.windows.map((all) => all.filter(reaches)),
  }
}

const moved = (finding: Finding, lead: number): Finding => ({
  ...finding,
  start: Math.max(0, finding.start - lead),
  end: finding.end - lead,
})

/** Spans that touch, as one. */
const joined = (spans: readonly { start: number; end: number }[]): { start: number; end: number }[] => {
  const result: { start: number; end: number }[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}
