import { maxOf } from '@sallyport/kit/lists'
import type { Call, Finding, Detector, Inspection, InspectionRequest, Origin } from '@sallyport/core'
import type { WindowClassifier } from '../classifiers/window-classifier.js'
import { calibrated, combinedLogit, logistic, meanOfHighest, mergeTouching, minShownLogit } from '../scoring.js'
import { noisyOr, scoreOfRule } from '../scoring.js'
import type { InjectionSettings } from './options.js'
import { withoutQuotation } from './questions.js'
import type { InjectionTextReader, PreparedView, ScoredPlacedWindow } from './reader.js'

interface Parts {
  readonly reader: InjectionTextReader
  readonly classifier?: WindowClassifier
  readonly options: Pick<InjectionSettings, 'operatingPoint' | 'calibration' | 'ngrams'>
}

/** A view of a text with the windows of each classifier. */
interface ScoredView extends PreparedView {
  readonly windows: readonly (readonly ScoredPlacedWindow[])[]
}

/**
 * Outside documents, the logit of a text is the mean of its highest windows or, where that is more, the highest minus a
 * margin.
 */
const averagedWindows = 3
const singleWindowMargin = 1.8
/** The minimum probability at which rules decide alone where classifiers read the text, too. */
const decisive = 0.85
/**
 * The extra logits that classifiers need in other languages: they were trained on hardly any harmless text there, and
 * take some of it for attacks. The rules know those languages.
 */
const foreignMargin = 5
/**
 * The share of a rule's score inside quotation marks: people who ask about attacks quote them. In documents, quotes
 * count in full.
 */
const quotedShare = 0.4

export class InjectionDetector implements Detector {
  private readonly name: string

  constructor(private readonly parts: Parts) {
    const classifiers = [parts.options.ngrams && 'ngrams', parts.classifier && 'model'].filter(Boolean)
    this.name = `injection-${['rules', ...classifiers].join('-')}/1`
  }

  async inspect(request: InspectionRequest, call: Call): Promise<Inspection> {
    // Where a turn continues a system message, most of the text may be instructions of that message.
    const origin = request.from === undefined ? request.origin : 'system'
    call.signal.throwIfAborted()
    const begin = performance.now()
    const prepared = await this.parts.reader.read({ text: withoutQuotation(request) ?? request.text }, call)
    const views = await this.withModelLogits(prepared, call)
    const logits = views.map((view) => this.viewLogit(view, origin))
    const score = logistic(maxOf(logits))
    const findings = views.flatMap((view, index) => this.findings(view, logits[index] ?? 0, origin))
    const reasons = new Set(views.flatMap(({ ruleMatches }) => ruleMatches.map(({ family }) => family.explanation)))
    const worst = views[logits.indexOf(maxOf(logits))]
    return {
      findings: findings.filter(({ start, end }) => end > start),
      score,
      explanation: explanationOf(score, [...reasons], worst?.undoesDisguise ?? false, isDocument(origin)),
      detector: this.name,
      latency: performance.now() - begin,
    }
  }

  private async withModelLogits(prepared: readonly PreparedView[], call: Call): Promise<ScoredView[]> {
    const scored = await this.parts.classifier?.score(
      prepared.flatMap(({ modelWindows = [] }) => modelWindows),
      call,
    )
    let from = 0
    return prepared.map((view) => {
      const byModel = view.modelWindows && scored?.slice(from, (from += view.modelWindows.length))
      return { ...view, windows: [byModel, view.ngramWindows].filter((some) => some !== undefined) }
    })
  }

  /** The logit of a view; at 0, it is as likely an attack as not. */
  private viewLogit({ rulesOnly, windows, ruleMatches }: ScoredView, origin: Origin | undefined): number {
    const logits = windows.map((scored) => classifierLogit(scored, origin))
    const mean = logits.length > 0 ? logits.reduce((sum, logit) => sum + logit, 0) / logits.length : -Infinity
    const fromClassifiers = this.calibrated(mean, origin)
    const inQuotes = isDocument(origin) ? 1 : quotedShare
    const ruleProbability = noisyOr(ruleMatches.map(({ family, quoted }) => ({ family, share: quoted ? inQuotes : 1 })))
    return combinedLogit(fromClassifiers, ruleProbability, logits.length > 0 || rulesOnly ? decisive : 0)
  }

  private findings({ windows, ruleMatches }: ScoredView, logit: number, origin: Origin | undefined): Finding[] {
    const ruleFindings = ruleMatches.map(({ family, start, end }) => {
      return { type: family.type, start, end, score: scoreOfRule(family.score, logit) }
    })
    if (logit < 0) return ruleFindings
    const all = windows.flat()
    const values = all.map((window) => this.calibrated(windowLogit(window, origin), origin))
    const minLogit = minShownLogit(values, ruleMatches.length > 0)
    const spans = all.filter((_, index) => (values[index] ?? -Infinity) >= minLogit)
    return [
      ...ruleFindings,
      ...mergeTouching(spans).map((span) => ({ type: 'injection', ...span, score: logistic(logit) })),
    ]
  }

  /** The logit of the classifiers, 0 where the score is to be 0.5. */
  private calibrated(logit: number, origin: Origin | undefined): number {
    return calibrated(this.parts.options.calibration, logit - this.operatingPoint(origin))
  }

  /** The logit of the classifiers at which the score is 0.5, without a calibration. */
  private operatingPoint(origin: Origin | undefined): number {
    const { document, system, prompt } = this.parts.options.operatingPoint
    return isDocument(origin) ? document : origin === 'system' ? system : prompt
  }
}

const isDocument = (origin: Origin | undefined): boolean => origin === 'document' || origin === 'tool'

/** In documents the evidence of both labels is added: the operating point is measured for the sum. */
const windowLogit = ({ logits, foreign }: ScoredPlacedWindow, origin: Origin | undefined): number => {
  const [attack = 0, planted = -Infinity] = logits
  const own = isDocument(origin) && planted > -Infinity ? attack + planted : attack
  return foreign ? own - foreignMargin : own
}

const classifierLogit = (windows: readonly ScoredPlacedWindow[], origin: Origin | undefined): number => {
  const logits = windows.map((window) => windowLogit(window, origin))
  const highest = maxOf(logits)
  return isDocument(origin) ? highest : Math.max(meanOfHighest(logits, averagedWindows), highest - singleWindowMargin)
}

/**
 * An explanation that quotes nothing of the text.
 * @param hidden whether a disguise was undone in the deciding view
 */
const explanationOf = (score: number, reasons: readonly string[], hidden: boolean, document: boolean): string => {
  if (score < 0.5) return reasons.length ? `no attack, though it ${joinReasons(reasons)}` : 'no attack found'
  const what = document ? 'an instruction planted in a document' : 'an attack on what the model was told to do'
  const how = hidden ? ', hidden by its spelling or encoding' : ''
  return `${what}${how}: ${reasons.length ? `it ${joinReasons(reasons)}` : 'its wording is like that of known ones'}`
}

const joinReasons = (reasons: readonly string[]): string =>
  reasons.length > 1 ? `${reasons.slice(0, -1).join(', ')} and ${reasons.at(-1) ?? ''}` : (reasons[0] ?? '')
