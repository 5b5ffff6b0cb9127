/**
 * A check of one's own, in one file: what is written in capitals counts as shouting.
 *
 *     plugins: ['@sallyport/koa', ./shouting.ts]
 *     policies: { default: { output: { shouting: { letters: 20 } } } }
 */
import { definePlugin, injectable, scoreCheck } from '@sallyport/core'
import type { Inspection, InspectionRequest, Detector } from '@sallyport/core'

export const shouting = scoreCheck('shouting', {
  stages: { input: 'Looks for shouting in what goes in.', output: 'Looks for shouting in what comes out.' },
  order: 320,
  message: 'shouting detected',
  options: { letters: { type: 'integer', minimum: 1, default: 10, description: 'Fewer capitals are no shouting.' } },
})

@injectable()
class CapitalsDetector implements Detector {
  inspect({ text, options }: InspectionRequest): Promise<Inspection> {
    const { letters = 10 } = (options ?? {}) as { letters?: number } // policies give it; who asks it itself may not
    const capitals = (run: string) => run.match(/\p{Lu}/gu)?.length ?? 0
    const findings = Array.from(text.matchAll(/[^\p{Ll}]+/gu))
      .filter(([run]) => capitals(run) >= letters)
      .map(({ 0: { length }, index }) => ({ type: 'shouting', start: index, end: index + length, score: 1 }))
    const explanation = findings.length ? `${findings.length} passages in capitals` : 'nothing in capitals'
    return Promise.resolve({
      findings,
      score: findings.length ? 1 : 0,
      explanation,
      detector: 'capitals/1',
      latency: 0,
    })
  }
}

export default definePlugin({
  name: 'shouting',
  models: { capitals: { capability: shouting, class: CapitalsDetector } },
})
