/** Sends small requests to the adapter, from a process of its own. */

import { Agent, request } from 'node:http'
import autocannon from 'autocannon'
import { openLoop } from './open-loop.js'
import { httpRequest } from './request.js'
import { answerQuestions } from './worker.js'

export type LoadQuestion = { readonly url: string; readonly seconds: number } & (
  { readonly kind: 'open'; readonly perSecond: number } | { readonly kind: 'closed'; readonly connections: number }
)

const agent = new Agent({ keepAlive: true })

const post = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { path, headers, body } = httpRequest
    request(
      url + path,
      { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } },
      (response) => {
        const { statusCode = 0 } = response
        response.resume().on('end', () => (statusCode === 200 ? resolve() : reject(new Error(`${url}: ${statusCode}`))))
      },
    )
      .on('error', reject)
      .end(body)
  })

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
  if (question.kind === 'open') return openLoop(question.perSecond, seconds, () => post(url))
  return [await closedLoop(url, question.connections, seconds)]
})
