import { maxOf } from '@sallyport/kit/lists'
import type { Call, Finding, Inspection, InspectionRequest, Detector } from '@sallyport/core'
import type { WindowClassifier } from '../classifiers/window-classifier.js'
import type { ScoredWindow } from '../classifiers/ngram-classifier.js'
import type { RuleMatch } from '../rules/match.js'
import { calibrated, combinedLogit, mergeTouching, minShownLogit, noisyOr, logistic, scoreOfRule } from '../scoring.js'
import type { ToxicitySettings } from './options.js'
import type { ToxicityTextReader } from './reader.js'

interface Parts {
  readonly reader: ToxicityTextReader
  readonly classifier: WindowClassifier
  readonly options: Pick<ToxicitySettings, 'labels' | 'operatingPoint' | 'calibration'>
}

/** How many UTF-16 code units before a text are read with it, as a match may begin there. */
const maxBefore = 400
const ruleInfluence = { weight: 3.5, decisive: 0.7 }
/** The share of a rule's score inside quotation marks: people who report an insult quote it. */
const quotedShare = 0.3
/** The minimum logit, minus the operating point, of the window that explains the score. */
const minReasonLogit = -1

export class ToxicityDetector implements Detector {
  constructor(private readonly parts: Parts) {}

  async inspect({ text, before = '' }: InspectionRequest, call: Call): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const { reader, classifier, options } = this.parts
    const { windows: modelWindows, ruleMatches } = await reader.read({ before: before.slice(-maxBefore), text }, call)
    const windows = await classifier.score(modelWindows, call)
    const { operatingPoint, calibration } = options
    const values = windows.map(({ logits }) => calibrated(calibration, (logits[0] ?? -Infinity) - operatingPoint))
    const highest = maxOf(values)
    const ruleProbability = noisyOr(
      ruleMatches.map(({ family, quoted }) => ({ family, share: quoted ? quotedShare : 1 })),
    )
    const total = combinedLogit(highest, ruleProbability, ruleInfluence)
    const score = logistic(total)
    const minLogit = minShownLogit(values, ruleMatches.length > 0)
    const toxic = total < 0 ? [] : windows.filter((_, at) => (values[at] ?? -Infinity) >= minLogit)
    const ruleFindings = ruleMatches.map(({ family, start, end }) => {
      return { type: family.type, start, end, score: scoreOfRule(family.score, total) }
    })
    const worst = highest > minReasonLogit ? windows[values.indexOf(highest)] : undefined
    return {
      findings: [...ruleFindings, ...this.findings(toxic, score)].filter(({ start, end }) => end > start),
      score,
      explanation: this.explanation(score, ruleMatches, worst),
      detector: 'toxicity-rules-model/1',
      latency: performance.now() - begin,
    }
  }

  /** Windows of the same category that touch become one finding. */
  private findings(windows: readonly ScoredWindow[], score: number): Finding[] {
    const placed = windows.map((window) => ({ type: this.category(window) ?? 'toxicity', window }))
    return [...new Set(placed.map(({ type }) => type))].flatMap((type) =>
      mergeTouching(placed.filter((one) => one.type === type).map(({ window }) => window)).map((span) => ({
        type,
        ...span,
        score,
      })),
    )
  }

  /** The label of the likeliest category of a window; undefined where none is likely. */
  private category({ logits }: ScoredWindow): string | undefined {
    const [, ...categories] = logits
    const best = categories.indexOf(maxOf(categories))
    return (categories[best] ?? -Infinity) > 0 ? Object.keys(this.parts.options.labels.categories)[best] : undefined
  }

  private explanation(score: number, rules: readonly RuleMatch[], worst: ScoredWindow | undefined): string {
    if (score < 0.5) return 'nothing toxic found'
    const reasons = [...new Set(rules.map(({ family }) => family.explanation))]
    if (reasons.length > 0) return `toxic: it ${reasons.join(' and ')}`
    const name = worst && this.parts.options.labels.categories[this.category(worst) ?? '']
    return name ? `toxic: it reads like ${name}` : 'toxic: its wording is like that of known toxic texts'
  }
}
