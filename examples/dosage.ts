/**
 * A check of one's own that finds spans, in one file: doses of medicines.
 *
 *     plugins: ['@sallyport/koa', ./dosage.ts]
 *     policies: { default: { output: { dosage: { action: replace, method: mask } } } }
 */
import { definePlugin, injectable, spanCheck } from '@sallyport/core'
import type { Finding, Inspection, SpanDetector, SpanRequest } from '@sallyport/core'

export const dosage = spanCheck('dosage', {
  stages: { input: 'Looks for doses in what goes in.', output: 'Looks for doses in what comes out.' },
  order: 330,
  message: 'dosage detected',
  // These the chain writes itself; for `random` and `fake` the detector would need a method replace().
  methods: ['category', 'mask', 'remove'],
})

const dose = /(?<![\p{L}\d.,])\d+(?:[.,]\d+)? ?(?:[mµ]?g|m?l|IU)(?![\p{L}\d])/gu

@injectable()
class DoseDetector implements SpanDetector {
  inspect({ text }: SpanRequest): Promise<Inspection> {
    const findings = Array.from(text.matchAll(dose), ({ 0: { length }, index }): Finding => {
      return { type: 'DOSE', start: index, end: index + length, score: 0.9 }
    })
    return Promise.resolve({
      findings,
      score: findings.length ? 0.9 : 0,
      explanation: `${findings.length} doses`,
      detector: 'doses/1',
      latency: 0,
    })
  }
}

export default definePlugin({ name: 'dosage', models: { doses: { capability: dosage, class: DoseDetector } } })
