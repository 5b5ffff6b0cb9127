import { maxOf } from '@sallyport/kit/lists'
import type { Call, Finding, Detector, Inspection, InspectionRequest, Origin } from '@sallyport/core'
import type { WindowClassifier } from '../classifiers/window-classifier.js'
import { calibrated, combinedLogit, logistic, meanOfHighest, mergeTouching, minShownLogit } from '../scoring.js'
import { noisyOr, scoreOfRule } from '../scoring.js'
import type { RuleMatch } from '../rules/match.js'
import type { InjectionSettings } from './options.js'
import { withoutQuotation } from './questions.js'
import type { InjectionTextReader, PreparedView, ScoredPlacedWindow } from './reader.js'

interface Parts {
  readonly reader: InjectionTextReader
  readonly classifier?: WindowClassifier
  readonly options: Pick<InjectionSettings, 'operatingPoint' | 'calibration' | 'ngrams' | 'isUnmeasured'>
}

/** A view of a text with the windows that the model has scored. */
interface ScoredView extends PreparedView {
  readonly scoredByModel?: readonly ScoredPlacedWindow[]
}

/** Where a text is from, and how many windows of what it is a part of were read before it. */
interface Place {
  readonly origin: Origin | undefined
  readonly earlierWindows: number
}

/**
 * Outside documents, the logit of a text is the mean of its highest windows or, where that is more, the highest minus a
 * margin.
 */
const averagedWindows = 3
const singleWindowMargin = 1.8
/**
 * In documents the highest window decides, less this for each e-fold of the windows that were read: of a hundred, one
 * looks like an attack by chance. With 2, as many long documents are flagged as single chunks (training/RESULTS.md).
 */
const lengthWeight = 2
/** UTF-16 code units within which matches of rules in a document support each other: far apart they are coincidences. */
const neighbourhood = 2000
/** UTF-16 code units between the beginnings of two windows of English prose, about. */
const unitsPerWindow = 400
/**
 * How much rules count. People who ask about attacks use the words of attacks, and the model knows the difference, in
 * English prompts.
 */
const besideClassifiers = { weight: 3.5, decisive: 0.85 }
const besideModelInPrompts = { weight: 1.5, decisive: 0.95 }
const alone = { weight: 0, decisive: 0 }
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
    const place = { origin, earlierWindows: (request.offset ?? 0) / unitsPerWindow }
    call.signal.throwIfAborted()
    const begin = performance.now()
    const prepared = await this.parts.reader.read({ text: withoutQuotation(request) ?? request.text }, call)
    const views = await this.withModelLogits(prepared, call)
    const logits = views.map((view) => this.viewLogit(view, place))
    const score = logistic(maxOf(logits))
    const findings = views.flatMap((view, index) => this.findings(view, logits[index] ?? 0, place))
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
      return { ...view, ...(byModel && { scoredByModel: byModel }) }
    })
  }

  /** The logit of a view; at 0, it is as likely an attack as not. */
  private viewLogit(view: ScoredView, place: Place): number {
    const { rulesOnly, ruleMatches } = view
    const { origin } = place
    const windows = windowsOf(view, origin)
    const logits = windows.map((scored) => classifierLogit(scored, place))
    const mean = logits.length > 0 ? logits.reduce((sum, logit) => sum + logit, 0) / logits.length : -Infinity
    const fromClassifiers = this.calibrated(mean, origin)
    const ruleProbability = isDocument(origin) ? densestRules(ruleMatches) : rulesOf(ruleMatches, quotedShare)
    const isForeign =
      windows.flat().some(({ foreign }) => foreign) || ruleMatches.some(({ family }) => family.translates)
    const isMeasured = view.scoredByModel && !this.parts.options.isUnmeasured
    const knows = isMeasured && !isDocument(origin) && !isForeign && !rulesOnly
    const beside = knows ? besideModelInPrompts : besideClassifiers
    return combinedLogit(fromClassifiers, ruleProbability, windows.length > 0 || rulesOnly ? beside : alone)
  }

  private findings(view: ScoredView, logit: number, place: Place): Finding[] {
    const { origin } = place
    const ruleFindings = view.ruleMatches.map(({ family, start, end }) => {
      return { type: family.type, start, end, score: scoreOfRule(family.score, logit) }
    })
    if (logit < 0) return ruleFindings
    const windows = windowsOf(view, origin)
    const all = windows.flat()
    const byLength = maxOf(windows.map((some) => lengthPenalty(some, place)))
    const values = all.map((window) => this.calibrated(windowLogit(window, origin) - byLength, origin))
    const minLogit = minShownLogit(values, view.ruleMatches.length > 0)
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

/** @param inQuotes the share of a match in quotation marks that counts */
const rulesOf = (matches: readonly RuleMatch[], inQuotes: number): number =>
  noisyOr(matches.map(({ family, quoted }) => ({ family, share: quoted ? inQuotes : 1 })))

/** The highest probability of the rules in one neighbourhood. */
const densestRules = (matches: readonly RuleMatch[]): number => {
  const near = ({ start }: RuleMatch) =>
    matches.filter((other) => other.start >= start && other.start < start + neighbourhood)
  return Math.max(0, maxOf(matches.map((match) => rulesOf(near(match), 1))))
}

const isDocument = (origin: Origin | undefined): boolean => origin === 'document' || origin === 'tool'

/** In documents the evidence of both labels is added: the operating point is measured for the sum. */
const windowLogit = ({ logits, foreign }: ScoredPlacedWindow, origin: Origin | undefined): number => {
  const [attack = 0, planted = -Infinity] = logits
  const own = isDocument(origin) && planted > -Infinity ? attack + planted : attack
  return foreign ? own - foreignMargin : own
}

/** The windows of each classifier that judges such texts: n-grams tell nothing of what is planted in documents. */
const windowsOf = (
  { scoredByModel, ngramWindows }: ScoredView,
  origin: Origin | undefined,
): readonly (readonly ScoredPlacedWindow[])[] =>
  [scoredByModel, isDocument(origin) ? undefined : ngramWindows].filter((some) => some !== undefined)

const classifierLogit = (windows: readonly ScoredPlacedWindow[], place: Place): number => {
  const logits = windows.map((window) => windowLogit(window, place.origin))
  const highest = maxOf(logits)
  return isDocument(place.origin)
    ? highest - lengthPenalty(windows, place)
    : Math.max(meanOfHighest(logits, averagedWindows), highest - singleWindowMargin)
}

const lengthPenalty = ({ length }: readonly ScoredPlacedWindow[], { origin, earlierWindows }: Place): number =>
  isDocument(origin) ? lengthWeight * Math.log(Math.max(1, length + earlierWindows)) : 0

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
