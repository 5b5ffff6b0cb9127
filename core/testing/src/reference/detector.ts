import type { Call, Finding, Inspection, InspectionRequest, Safeguard } from '@sallyport/core'
import { pause } from './options.js'
import type { ReferenceOptions } from './options.js'

/** Finds spans by one function of the text; the score of the whole is that of the worst span. */
export abstract class PatternDetector implements Safeguard {
  constructor(
    protected readonly options: ReferenceOptions,
    private readonly detector: string,
  ) {}

  protected abstract find(request: InspectionRequest): Finding[]

  async inspect(request: InspectionRequest, call: Call): Promise<Inspection> {
    await pause(this.options, call)
    const begin = performance.now()
    const findings = this.find(request)
    return {
      findings,
      score: findings.reduce((worst, { score }) => Math.max(worst, score), 0),
      explanation: findings.length ? `${findings.length} found` : 'nothing found',
      detector: `${this.detector}/1`,
      latency: performance.now() - begin,
    }
  }
}

/** All matches of a pattern as findings. */
export const matches = (text: string, pattern: RegExp, type: string, score: number): Finding[] =>
  [...text.matchAll(pattern)].map(({ 0: match, index }) => ({ type, start: index, end: index + match.length, score }))
