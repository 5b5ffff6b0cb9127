import { append, maxOf } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import type { Call, Finding, Detector, Inspection, InspectionRequest, Origin } from '@sallyport/core'
import type { WindowClassifier } from '../classifiers/window-classifier.js'
import { calibrated, combinedLogit, logistic, logit, meanOfHighest, mergeTouching } from '../scoring.js'
import { minShownLogit, noisyOr, scoreOfRule } from '../scoring.js'
import { neighbourhood } from '../rules/match.js'
import type { RuleMatch } from '../rules/match.js'
import type { InjectionSettings } from './options.js'
import { isOutline } from './outline.js'
import { passagesIn } from './passage.js'
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

/** Where a text is from. */
interface Place {
  readonly origin: Origin | undefined
  /** How many windows there are to its end in what it is a part of, about. */
  readonly windows: number
  /** Whether it has no sentence. */
  readonly isOutline: boolean
}

/**
 * Outside documents, the logit of a text is the mean of its highest windows or, where that is more, the highest minus a
 * margin.
 */
const averagedWindows = 3
const singleWindowMargin = 1.8
/**
 * In documents the highest window and the surest rules decide, less this for each e-fold of the windows: of a hundred,
 * one looks like an attack by chance. With 2, as many long documents are flagged as single chunks (training/RESULTS.md).
 */
const lengthWeight = 2
/**
 * The extra logits that classifiers need in documents without a sentence: titles and headings are short, and some read
 * like orders. Of 1,000 held-out ones, 0.3 % are flagged instead of 1.6, and of instructions in their place, 30 % instead
 * of 52 by the model alone (training/RESULTS.md).
 */
const outlineMargin = 4
/** The maximum number of parts in which passages are looked for: each takes several calls to the model. */
const maxPartsWithPassages = 4
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
 * The extra logits that classifiers need in prompts in other languages: they were trained on few harmless ones, and take
 * some of them for attacks. The rules know those languages. Of documents in other languages the model has read many.
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
    const text = withoutQuotation(request) ?? request.text
    const windows = ((request.offset ?? 0) + text.length) / unitsPerWindow
    const place = { origin, windows, isOutline: isDocument(origin) && isOutline(text) }
    const views = await this.withModelLogits(await this.read(text, place, call), call)
    const logits = views.map((view) => this.viewLogit(view, place))
    const score = logistic(maxOf(logits))
    const findings = views.flatMap((view, index) => ruleFindings(view, logits[index] ?? 0))
    const flagged = views.filter((_, index) => (logits[index] ?? 0) >= 0)
    for (const span of await this.flaggedSpans(text, flagged, place, call))
      findings.push({ type: 'injection', ...span, score })
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

  private read(text: string, { origin }: Place, call: Call): Promise<PreparedView[]> {
    return this.parts.reader.read({ text, forNGrams: !isDocument(origin) }, call)
  }

  /** The logits of other texts in the same place, read in all their views. */
  private async logitsOf(texts: readonly string[], place: Place, call: Call): Promise<number[]> {
    const prepared: PreparedView[][] = []
    for (const text of texts) prepared.push(await this.read(text, place, call))
    const views = await this.withModelLogits(prepared.flat(), call)
    return prepared.map(({ length }) => maxOf(views.splice(0, length).map((view) => this.viewLogit(view, place))))
  }

  private async withModelLogits(prepared: readonly PreparedView[], call: Call): Promise<ScoredView[]> {
    const scored = await this.parts.classifier?.score(
      prepared.flatMap(({ modelWindows = [] }) => modelWindows),
      call,
    )
    // A model of which nothing was measured may know other languages: it needs no margin there.
    const placed = this.parts.options.isUnmeasured ? scored?.map((one) => ({ ...one, foreign: false })) : scored
    let from = 0
    return prepared.map((view) => {
      const byModel = view.modelWindows && placed?.slice(from, (from += view.modelWindows.length))
      return { ...view, ...(byModel && { scoredByModel: byModel }) }
    })
  }

  /** The logit of a view; at 0, it is as likely an attack as not. */
  private viewLogit(view: ScoredView, place: Place): number {
    const { rulesOnly, ruleMatches } = view
    const { origin } = place
    const windows = windowsOf(view)
    const logits = windows.map((scored) => classifierLogit(scored, origin))
    const mean = logits.length > 0 ? logits.reduce((sum, logit) => sum + logit, 0) / logits.length : -Infinity
    const penalty = this.lengthPenalty(view, place)
    const fromClassifiers = this.calibrated(mean - penalty - this.outlineMargin(place), origin)
    const ruleProbability = isDocument(origin)
      ? lowered(densestRules(ruleMatches), penalty)
      : rulesOf(ruleMatches, quotedShare)
    const isForeign =
      windows.flat().some(({ foreign }) => foreign) || ruleMatches.some(({ family }) => family.translates)
    const isMeasured = view.scoredByModel && !this.parts.options.isUnmeasured
    const knows = isMeasured && !isDocument(origin) && !isForeign && !rulesOnly
    const beside = knows ? besideModelInPrompts : besideClassifiers
    return combinedLogit(fromClassifiers, ruleProbability, windows.length > 0 || rulesOnly ? beside : alone)
  }

  /** What classifiers flag: of documents, the sentences that make its parts attacks; else the parts. */
  private async flaggedSpans(
    text: string,
    flagged: readonly ScoredView[],
    place: Place,
    call: Call,
  ): Promise<readonly Span[]> {
    const parts = mergeTouching(flagged.flatMap((view) => this.shownParts(view, place)))
    if (!isDocument(place.origin) || parts.length > maxPartsWithPassages) return parts
    const byRules = flagged.flatMap(({ ruleMatches }) => ruleMatches)
    const spans: Span[] = []
    for (const part of parts)
      append(spans, await passagesIn(text, part, byRules, (texts) => this.logitsOf(texts, place, call)))
    return spans
  }

  /** The windows that are reported of a flagged view, merged where they touch. */
  private shownParts(view: ScoredView, place: Place): Span[] {
    const { origin } = place
    const windows = windowsOf(view).flat()
    const penalty = this.lengthPenalty(view, place) + this.outlineMargin(place)
    const values = windows.map((window) => this.calibrated(windowLogit(window, origin) - penalty, origin))
    const minLogit = minShownLogit(values, view.ruleMatches.length > 0)
    return mergeTouching(windows.filter((_, index) => (values[index] ?? -Infinity) >= minLogit))
  }

  /**
   * What the length of a document takes from its logits, measured with the model guard. Without a model nothing else
   * finds what rules find, and what is found in a view that only undoes a cipher stands there on purpose.
   */
  private lengthPenalty({ rulesOnly, scoredByModel }: ScoredView, { origin, windows }: Place): number {
    const counts = this.parts.classifier && !this.parts.options.isUnmeasured && (rulesOnly || scoredByModel)
    return counts && isDocument(origin) ? lengthWeight * Math.log(Math.max(1, windows)) : 0
  }

  private outlineMargin({ isOutline }: Place): number {
    return isOutline && !this.parts.options.isUnmeasured ? outlineMargin : 0
  }

  /** The logit of the classifiers, 0 where the score is to be 0.5. */
  private calibrated(value: number, origin: Origin | undefined): number {
    return calibrated(this.parts.options.calibration, value - this.operatingPoint(origin))
  }

  /** The logit of the classifiers at which the score is 0.5, without a calibration. */
  private operatingPoint(origin: Origin | undefined): number {
    const { document, system, prompt } = this.parts.options.operatingPoint
    return isDocument(origin) ? document : origin === 'system' ? system : prompt
  }
}

/** @param total logit of the view */
const ruleFindings = ({ ruleMatches }: ScoredView, total: number): Finding[] =>
  ruleMatches.map(({ family, start, end }) => ({
    type: family.type,
    start,
    end,
    score: scoreOfRule(family.score, total),
  }))

/** @param inQuotes the share of a match in quotation marks that counts */
const rulesOf = (matches: readonly RuleMatch[], inQuotes: number): number =>
  noisyOr(matches.map(({ family, quoted }) => ({ family, share: quoted ? inQuotes : 1 })))

/** The highest probability of the rules in one neighbourhood. */
const densestRules = (matches: readonly RuleMatch[]): number => {
  const sorted = matches.toSorted((a, b) => a.start - b.start)
  let [end, densest] = [0, 0]
  for (const [at, { start }] of sorted.entries()) {
    while ((sorted[end]?.start ?? Infinity) < start + neighbourhood) end += 1
    densest = Math.max(densest, rulesOf(sorted.slice(at, end), 1))
  }
  return densest
}

/** A probability whose logit is lowered. */
const lowered = (probability: number, by: number): number => logistic(logit(probability) - by)

const isDocument = (origin: Origin | undefined): boolean => origin === 'document' || origin === 'tool'

/** In documents the evidence of both labels is added: the operating point is measured for the sum. */
const windowLogit = ({ logits, foreign }: ScoredPlacedWindow, origin: Origin | undefined): number => {
  const [attack = 0, planted = -Infinity] = logits
  const own = isDocument(origin) && planted > -Infinity ? attack + planted : attack
  return foreign && !isDocument(origin) ? own - foreignMargin : own
}

/** The windows of each classifier that read the view. */
const windowsOf = ({ scoredByModel, ngramWindows }: ScoredView): readonly (readonly ScoredPlacedWindow[])[] =>
  [scoredByModel, ngramWindows].filter((some) => some !== undefined)

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
