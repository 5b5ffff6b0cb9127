import assert from 'node:assert/strict'
import type { ChatCapability, ChatMessage, ChatRequest } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import { chatToolCases } from './chat-tools.js'
import { answerTo, generationCases, promptsOf, steady } from './generation.js'
import type { Ask } from './generation.js'
import { png } from './images.js'
import { stopCases } from './stop-texts.js'
import { collectChunks, outcomeWithin, rejectsWith, testCall, valueUnless } from './support.js'

const ask: Ask<ChatRequest> = (prompt, options) => ({ ...options, messages: [{ role: 'user', content: prompt }] })

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
  ...generationCases(ask),
  ...stopCases(ask),
  ...chatToolCases,
  ...cases<ChatCapability>({
    'a text part reads like plain text': async (service, facts) => {
      const [prompt] = promptsOf(facts)
      const parts: ChatRequest = { ...steady, messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }] }
      assert.equal((await answerTo(service, parts)).text, (await answerTo(service, ask(prompt, steady))).text)
    },
    'a conversation is answered': async (service) => {
      const outcome = await outcomeWithin(answerTo(service, { ...steady, messages: conversation }), 60_000)
      assert.ok('value' in outcome && outcome.value.text.length > 0, `no answer: ${JSON.stringify(outcome)}`)
    },
  }),
  ...cases<ChatCapability>(
    {
      'an image is refused with unsupported by a model without vision': (service) =>
        rejectsWith(answerTo(service, { ...steady, messages: [imageMessage] }), 'unsupported'),
    },
    ({ features }) => (features?.image ? 'the model takes images' : undefined),
  ),
  ...cases<ChatCapability>(
    {
      'an image is taken by a model with vision': async (service) => {
        const outcome = await outcomeWithin(answerTo(service, { ...steady, messages: [imageMessage] }), 60_000)
        assert.ok('value' in outcome && outcome.value.text.length > 0, `no answer: ${JSON.stringify(outcome)}`)
      },
    },
    ({ features }) => (features?.image ? undefined : 'the model takes no images'),
  ),
  ...cases<ChatCapability>(
    {
      'reasoning comes before the text': async (service, facts) => {
        const request: ChatRequest = {
          ...ask(promptsOf(facts)[0], { temperature: 0, maxTokens: 512 }),
          reasoningEffort: 'low',
        }
        const chunks = await collectChunks(service.stream(request, testCall()))
        const kinds = chunks.map((chunk) => ('reasoning' in chunk ? 'r' : 'delta' in chunk ? 't' : 'f')).join('')
        assert.match(kinds, /^r+t*f$/)
      },
    },
    ({ features }) => (features?.reasoning ? undefined : 'the model does not reason'),
  ),
  ...cases<ChatCapability>({
    'json_object answers with JSON, or is refused with unsupported': async (service) => {
      const request: ChatRequest = {
        ...ask('Answer with a JSON object with one key.', { temperature: 0, maxTokens: 256 }),
        responseFormat: { type: 'json_object' },
      }
      const answer = await valueUnless(answerTo(service, request), 'unsupported')
      if (answer?.finish === 'stop') assert.ok(isRecord(parsed(answer.text)), `no JSON object: ${answer.text}`)
    },
    'json_schema answers by the schema, or is refused with unsupported': async (service) => {
      const schema = {
        type: 'object',
        properties: { city: { type: 'string' }, inhabitants: { type: 'integer' } },
        required: ['city', 'inhabitants'],
        additionalProperties: false,
      }
      const request: ChatRequest = {
        ...ask('Name a city and how many live there.', { temperature: 0, maxTokens: 256 }),
        responseFormat: { type: 'json_schema', schema, strict: true },
      }
      const answer = await valueUnless(answerTo(service, request), 'unsupported')
      if (answer?.finish !== 'stop') return
      const value = parsed(answer.text)
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
]

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
