/**
 * Measures how often values that stand beside each other in ordinary requests make up personal information that none of
 * them holds: findings of the joined reading for 1,000 values, by kind of traffic. Compares with split-values.json
 * beside it (`--write` writes it), and fails where there are more, or more than one in 1,000.
 */

import { alignColumns } from '@sallyport/kit/text'
import { chat, definePlugin, isSallyportError, rerank } from '@sallyport/core'
import type { ChatChunk, Kernel, Verdict } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { ordinaryTraffic } from './ordinary-traffic.js'
import type { OrdinaryRequest } from './ordinary-traffic.js'
import { compareOrWrite } from './table.js'

class Silent {
  async *stream(): AsyncGenerator<ChatChunk> {
    yield await Promise.resolve({ finish: 'stop' as const })
  }
}

class Unsorted {
  rerank() {
    return Promise.resolve({ ranking: [] })
  }
}

const models = definePlugin({
  name: 'models',
  models: { silent: { capability: chat, class: Silent }, unsorted: { capability: rerank, class: Unsorted } },
})

/** The detector's name where it reads values together. */
const joinedReading = /across/

const findingsIn = async (kernel: Kernel, request: OrdinaryRequest): Promise<number> => {
  let found = 0
  const onVerdict = ({ detector = '', findings = {} }: Verdict) => {
    if (joinedReading.test(detector)) for (const count of Object.values(findings)) found += count
  }
  const options = { policies: ['watched'], onVerdict, deadline: Date.now() + 600_000 }
  if ('rerank' in request) await kernel.get(rerank, 'unsorted').rerank(request.rerank, options)
  else await kernel.get(chat, 'silent').generate(request.chat, options)
  return found
}

/** Some schemas are none. */
const ifRefused = (error: unknown): undefined => {
  if (!isSallyportError(error) || error.code !== 'invalid_request') throw error
}

/** Findings in 1,000 values. */
const most = 1

const measure = async (kernel: Kernel): Promise<Record<string, Record<string, number>>> => {
  const measured: Record<string, Record<string, number>> = {}
  for (const [kind, traffic] of Object.entries(ordinaryTraffic)) {
    let [found, values] = [0, 0]
    for (const request of traffic()) {
      const here = await findingsIn(kernel, request).catch(ifRefused)
      if (here === undefined) continue
      found += here
      values += request.values
    }
    // More is better in these tables.
    measured[kind] = { values, found, withoutIn1000: 1000 - (1000 * found) / values }
    if ((1000 * found) / values > most) {
      console.error(`${kind}: more than ${most} in 1,000`)
      process.exitCode = 1
    }
  }
  return measured
}

const kernel = await createKernel({
  plugins: [models, '@sallyport/pii'],
  models: { pii: { backend: 'pii' } },
  policies: { watched: { input: { pii: { mode: 'shadow', action: 'replace', budget: 600_000 } } } },
})
try {
  const measured = await measure(kernel)
  const lines = Object.entries(measured).map(([kind, { values = 0, found = 0 }]) => [
    kind,
    ...[values, found].map(String),
    ((100 * found) / values).toFixed(3),
  ])
  console.log(alignColumns([['', 'values', 'found', 'per cent'], ...lines]).join('\n'))
  compareOrWrite('split-values.json', measured, (figure) => (figure === 'withoutIn1000' ? 0.1 : Infinity))
} finally {
  await kernel.stop()
}
