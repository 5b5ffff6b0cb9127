/** Models for the tests of responses, and a server of them. */

import { inspect } from 'node:util'
import type { ChatChunk, ChatRequest, RequestedServer, ToolCallRequest } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import { callingTool, saying, stepper, town } from './conversations.js'
import { testKernel } from './kernel.js'
import { player, recorder } from './models.js'
import { startServer } from './server.js'
import type { TestServer } from './server.js'

export interface Item {
  readonly type: string
  readonly id: string
  readonly [field: string]: unknown
}

export interface ResponseJson {
  readonly id: string
  readonly status: string
  readonly output: readonly Item[]
  readonly [field: string]: unknown
}

const weather = callingTool('weather', '{"city":', '"Ulm"}')

const thinking: ChatChunk[] = [{ reasoning: 'Hm' }, { reasoning: ' yes' }, ...saying(' \n', ' Hello', ' world')]

/** What was asked of whom. */
export interface Heard {
  readonly recorder: readonly ChatRequest[]
  readonly weatherman: readonly ChatRequest[]
  readonly calls: readonly ToolCallRequest[]
  readonly requested: readonly RequestedServer[]
}

export interface ResponseServer {
  readonly server: TestServer
  readonly heard: Heard
  /** Everything that was logged. */
  readonly logged: () => string
  readonly ask: (path: string, body: object) => Promise<ResponseJson>
  /** The text of a 400. */
  readonly refusal: (body: object) => Promise<string>
}

export const startResponses = async (): Promise<ResponseServer> => {
  const { model, requests } = recorder({ image: true, tools: true })
  const weatherman = stepper('weatherman', [{ delta: 'Let me look.' }, ...weather], saying('It is sunny.'))
  const hall = town()
  const kernel = await testKernel([
    player('speaker', saying(' \n', ' Hello', ' world')),
    player('thinker', thinking),
    player('silent', [{ finish: 'stop' }]),
    player('cut', [{ delta: 'and so' }, { finish: 'length' }]),
    stepper('caller', callingTool('weather', '{"city":"Ulm"}'), saying('done')).model,
    stepper('mayors', callingTool('mayor', '{}'), saying('none')).model,
    weatherman.model,
    model,
    hall.model,
  ])
  const { logger, lines } = recordingLogger()
  const server = await startServer(kernel, {}, logger)
  return {
    server,
    heard: { recorder: requests, weatherman: weatherman.requests, calls: hall.calls, requested: hall.requested },
    logged: () => inspect(lines, { depth: 12, maxStringLength: Infinity, maxArrayLength: Infinity }),
    ask: async (path, body) => {
      const answer = await server.post(path, body)
      const text = await answer.text()
      expect(answer.status, text).to.equal(200)
      return JSON.parse(text) as ResponseJson
    },
    refusal: async (body) => {
      const answer = await server.post('/responses', body)
      expect(answer.status).to.equal(400)
      return ((await answer.json()) as { error: string }).error
    },
  }
}
