/** Sends small requests to the adapter, from a process of its own. */

import autocannon from 'autocannon'
import { openLoop } from './open-loop.js'
import { RawClient } from './raw-client.js'
import { httpRequest } from './request.js'
import { answerQuestions } from './worker.js'

export type LoadQuestion = { readonly url: string; readonly seconds: number } & (
  { readonly kind: 'open'; readonly perSecond: number } | { readonly kind: 'closed'; readonly connections: number }
)

/** Every connection asks again as soon as it is answered. @returns requests per second */
const closedLoop = async (url: string, connections: number, duration: number): Promise<number> => {
  const { path, headers, body } = httpRequest
  const result = await autocannon({ url: url + path, method: 'POST', headers, body, connections, duration })
  const failed = result.errors + result.timeouts + result.non2xx
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests failed`)
  return result.requests.total / result.duration
}

/** Milliseconds of each request, or one number: requests per second. */
answerQuestions(async (question: LoadQuestion): Promise<number[]> => {
  const { url, seconds } = question
  if (question.kind === 'closed') return [await closedLoop(url, question.connections, seconds)]
  const client = new RawClient(new URL(url), httpRequest)
  try {
    // connecting is not measured
    await client.send()
    return await openLoop(question.perSecond, seconds, () => client.send())
  } finally {
    client.close()
  }
})
