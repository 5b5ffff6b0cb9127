/** Streams behind checks, and what is heard of them. */

import { chat } from '@sallyport/core'
import type { ChatCapability, ChatChunk, SpanDetector, Verdict } from '@sallyport/core'
import { enforce, exchange, finder, guard, piiFinder, replace, reply } from '../support.js'
import type { Detectors, Policy } from '../support.js'

export type Output = Policy['output']
export { reply } from '../support.js'
export type { Detectors } from '../support.js'

export const checks: Output = { pii: replace, toxicity: enforce }

/** Finds `1234`, and knows where it may be growing. */
export const pii: SpanDetector = {
  ...piiFinder('1234'),
  openSpans: ({ text }) =>
    Promise.resolve({
      spans: Array.from(text.matchAll(/1234|1(?:23?)?$/g), ({ index, 0: { length } }) => ({
        start: index,
        end: index + length,
      })),
    }),
}
export const detectors: Detectors = { pii, toxicity: finder('awful', 'toxicity') }

export const guarded = (
  backend: ChatCapability,
  output: Output = checks,
  used: Detectors = detectors,
  verdicts: Verdict[] = [],
) =>
  guard(chat, backend, {
    policy: { output },
    detectors: { ...used },
    onVerdict: (verdict) => verdicts.push(verdict),
  })

export const request = { messages: [{ role: 'user' as const, content: 'go on' }] }

/** Listens to a service that is guarded already. */
export const listen = (service: ChatCapability) => exchange(request, {}, service)

export const deltas = (chunks: readonly string[]): ChatChunk[] => chunks.map((delta) => ({ delta }))
export const hear = (chunks: readonly string[], output?: Output, used?: Detectors) =>
  listen(guarded(reply(deltas(chunks)), output, used))

export const sentence = 'It rains a lot here. '
