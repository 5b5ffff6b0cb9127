import { maxOf } from '@sallyport/kit/lists'
import type { Call, Finding, Detector, Inspection, InspectionRequest, Origin } from '@sallyport/core'
import type { WindowClassifier } from '../heads/classifier.js'
import {
  combinedLogit,
  mergeTouching,
  minShownLogit,
  likelihood,
  logistic,
  meanOfHighest,
  scoreOfRule,
} from '../scoring.js'
import type { InjectionOptions } from './options.js'
import { withoutQuotation } from './questions.js'
import type { InjectionTextReader, ViewReading, ScoredPlacedWindow } from './reader.js'

interface Parts {
  readonly reader: InjectionTextReader
  readonly classifier?: WindowClassifier
  readonly options: Pick<InjectionOptions, 'operatingPoint' | 'ngrams'>
}

/** A view of a text with the windows of each head. */
interface ScoredView extends ViewReading {
  /** The scored windows of each head. */
  readonly windows: readonly (readonly ScoredPlacedWindow[])[]
}

/** In a prompt, the mean of so many windows counts; a single window counts only with so many logits more. */
const [countedWindows, singleWindowMargin] = [3, 1.8]
/** From this probability on, rules decide alone. */
const decisive = 0.85
/**
 * The extra logits that heads need in other languages: they were trained on hardly any harmless text there, and take some
 * of it for attacks. The rules know those languages.
 */
const foreignMargin = 5
/** The share of a rule's score inside quotation marks: people who ask about attacks quote them. In documents, quotes count in full. */
const quotedShare = 0.4

/** Finds attacks on instructions, by rules and up to two heads. */
export class InjectionDetector implements Detector {
  private readonly name: string

  constructor(private readonly parts: Parts) {
    const heads = [parts.options.ngrams && 'ngrams', parts.classifier && 'model'].filter(Boolean)
    this.name = `injection-${['rules', ...heads].join('-')}/1`
  }

  async inspect(request: InspectionRequest, call: Call): Promise<Inspection> {
    // Where a turn continues a system message, most of the text may be orders of that message.
    const origin = request.from === undefined ? request.origin : 'system'
    call.signal.throwIfAborted()
    const begin = performance.now()
    const read = await this.parts.reader.read({ text: withoutQuotation(request) ?? request.text }, call)
    const views = await this.withModelScores(read, call)
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

  /** Adds the scores of the model to the views. */
  private async withModelScores(read: readonly ViewReading[], call: Call): Promise<ScoredView[]> {
    const scored = await this.parts.classifier?.scored(
      read.flatMap(({ modelWindows = [] }) => modelWindows),
      call,
    )
    let from = 0
    return read.map((view) => {
      const byModel = view.modelWindows && scored?.slice(from, (from += view.modelWindows.length))
      return { ...view, windows: [byModel, view.ngramWindows].filter((some) => some !== undefined) }
    })
  }

  /** The logit of a view; at 0, it is as likely an attack as not. */
  private score({ spelled, windows, rules }: ScoredView, origin: Origin | undefined): number {
    const heads = windows.map((ofHead) => headScore(ofHead, origin))
    const mean = heads.length > 0 ? heads.reduce((sum, value) => sum + value, 0) / heads.length : -Infinity
    const byHeads = mean - this.operatingPoint(origin)
    const inQuotes = isDocument(origin) ? 1 : quotedShare
    const byRules = likelihood(rules.map(({ family, quoted }) => ({ family, share: quoted ? inQuotes : 1 })))
    return combinedLogit(byHeads, byRules, heads.length > 0 || spelled ? decisive : 0)
  }

  private findings({ windows, rules }: ScoredView, score: number, origin: Origin | undefined): Finding[] {
    const byRules = rules.map(({ family, start, end }) => {
      return { type: family.id, start, end, score: scoreOfRule(family.score, score) }
    })
    if (score < 0) return byRules
    const all = windows.flat()
    const values = all.map((window) => windowScore(window, origin) - this.operatingPoint(origin))
    const least = minShownLogit(values, rules.length > 0)
    const spans = all.filter((_, index) => (values[index] ?? -Infinity) >= least)
    return [...byRules, ...mergeTouching(spans).map((span) => ({ type: 'injection', ...span, score: logistic(score) }))]
  }

  /** The logit of the heads at which the score is 0.5. */
  private operatingPoint(origin: Origin | undefined): number {
    const { document, system, prompt } = this.parts.options.operatingPoint
    return isDocument(origin) ? document : origin === 'system' ? system : prompt
  }
}

const isDocument = (origin: Origin | undefined): boolean => origin === 'document' || origin === 'tool'

const windowScore = ({ logits, foreign }: ScoredPlacedWindow, origin: Origin | undefined): number => {
  const [attack = 0, planted = -Infinity] = logits
  const own = isDocument(origin) && planted > -Infinity ? attack + planted : attack
  return foreign ? own - foreignMargin : own
}

const headScore = (windows: readonly ScoredPlacedWindow[], origin: Origin | undefined): number => {
  const scores = windows.map((window) => windowScore(window, origin))
  const highest = maxOf(scores)
  return isDocument(origin) ? highest : Math.max(meanOfHighest(scores, countedWindows), highest - singleWindowMargin)
}

/**
 * An explanation for people, which quotes nothing of the text.
 * @param hidden whether the deciding view was hidden in the text
 */
const explanationOf = (score: number, reasons: readonly string[], hidden: boolean, document: boolean): string => {
  if (score < 0.5) return reasons.length ? `no attack, though it ${listed(reasons)}` : 'no attack found'
  const what = document ? 'an order planted in a document' : 'an attack on what the model was told to do'
  const how = hidden ? ', hidden by its spelling or encoding' : ''
  return `${what}${how}: ${reasons.length ? `it ${listed(reasons)}` : 'its wording is like that of known ones'}`
}

const listed = (reasons: readonly string[]): string =>
  reasons.length > 1 ? `${reasons.slice(0, -1).join(', ')} and ${reasons.at(-1) ?? ''}` : (reasons[0] ?? '')
