import assert from 'node:assert/strict'
import type { ChatCapability, ChatMessage, ChatRequest } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import { chatToolCases } from './chat-tools.js'
import { answerTo, generationCases, promptsOf, greedy } from './generation.js'
import type { RequestOf } from './generation.js'
import { png } from './images.js'
import { stopCases } from './stop-sequences.js'
import { collectChunks, rejectsWith, testCall, valueUnless } from './support.js'

const requestOf: RequestOf<ChatRequest> = (content, options) => ({ ...options, messages: [{ role: 'user', content }] })

const imageMessage: ChatMessage = {
  role: 'user',
  content: [
    { type: 'text', text: 'What is this?' },
    { type: 'image', image: png, mediaType: 'image/png' },
  ],
}

const conversation: ChatMessage[] = [
  { role: 'system', content: 'You are terse.' },
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hello.' },
  { role: 'user', content: 'Name a colour, please.' },
]

export const chatCases: readonly ConformanceCase<ChatCapability>[] = [
  ...generationCases(requestOf),
  ...stopCases(requestOf),
  ...chatToolCases,
  ...cases<ChatCapability>({
    'a text part reads like plain text': async (service, facts) => {
      const [prompt] = promptsOf(facts)
      const parts: ChatRequest = { ...greedy, messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }] }
      assert.equal((await answerTo(service, parts)).text, (await answerTo(service, requestOf(prompt, greedy))).text)
    },
    'a conversation is answered': async (service) => {
      assert.ok((await answerTo(service, { ...greedy, messages: conversation })).text, 'the answer is empty')
    },
    'json_object answers with JSON, or is refused with unsupported': async (service) => {
      const request: ChatRequest = {
        ...requestOf('Answer with a JSON object with one key.', { temperature: 0, maxTokens: 256 }),
        responseFormat: { type: 'json_object' },
      }
      const answer = await valueUnless(answerTo(service, request), 'unsupported')
      if (answer?.finish === 'stop') assert.ok(isRecord(parseJson(answer.text)), `no JSON object: ${answer.text}`)
    },
    'json_schema answers by the schema, or is refused with unsupported': async (service) => {
      const schema = {
        type: 'object',
        properties: { city: { type: 'string' }, inhabitants: { type: 'integer' } },
        required: ['city', 'inhabitants'],
        additionalProperties: false,
      }
      const request: ChatRequest = {
        ...requestOf('Name a city and how many live there.', { temperature: 0, maxTokens: 256 }),
        responseFormat: { type: 'json_schema', schema, strict: true },
      }
      const answer = await valueUnless(answerTo(service, request), 'unsupported')
      if (answer?.finish !== 'stop') return
      const value = parseJson(answer.text)
      assert.ok(
        isRecord(value) && Object.keys(value).sort().join() === 'city,inhabitants',
        `not by the schema: ${answer.text}`,
      )
      assert.ok(
        typeof value['city'] === 'string' && Number.isInteger(value['inhabitants']),
        `not by the schema: ${answer.text}`,
      )
    },
  }),
  ...cases<ChatCapability>(
    {
      'an image is refused with unsupported by a model without vision': (service) =>
        rejectsWith(answerTo(service, { ...greedy, messages: [imageMessage] }), 'unsupported'),
    },
    ({ features }) => (features?.image ? 'the model takes images' : undefined),
  ),
  ...cases<ChatCapability>(
    {
      'an image is taken by a model with vision': async (service) => {
        assert.ok((await answerTo(service, { ...greedy, messages: [imageMessage] })).text, 'the answer is empty')
      },
    },
    ({ features }) => (features?.image ? undefined : 'the model takes no images'),
  ),
  ...cases<ChatCapability>(
    {
      'reasoning comes before the text': async (service, facts) => {
        const request: ChatRequest = {
          ...requestOf(promptsOf(facts)[0], { temperature: 0, maxTokens: 512 }),
          reasoningEffort: 'low',
        }
        const chunks = await collectChunks(service.stream(request, testCall()))
        const kinds = chunks.map((chunk) => ('reasoning' in chunk ? 'r' : 'delta' in chunk ? 't' : 'f')).join('')
        assert.match(kinds, /^r+t*f$/)
      },
    },
    ({ features }) => (features?.reasoning ? undefined : 'the model does not reason'),
  ),
]

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
