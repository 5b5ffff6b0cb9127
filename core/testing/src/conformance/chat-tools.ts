/** Cases of function calling; models without the feature `tools` must refuse it. */

import assert from 'node:assert/strict'
import type { ChatCapability, ChatMessage, ChatRequest, ChatResult, FunctionTool, ToolChoice } from '@sallyport/core'
import { collect } from '@sallyport/kit/generation'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'
import { collectChunks, rejectsWith, testCall } from './support.js'

const cityTool = (name: string): FunctionTool => ({
  name,
  description: `Tells the ${name} of a city.`,
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
})

const tools: FunctionTool[] = ['weather', 'time', 'population'].map(cityTool)

const strictTool: FunctionTool = {
  name: 'forecast',
  description: 'Tells the weather of a city for some days.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' }, unit: { enum: ['celsius', 'fahrenheit'] } },
    required: ['city', 'days', 'unit'],
    additionalProperties: false,
  },
  strict: true,
}

const question: ChatMessage = { role: 'user', content: 'What is the weather in Berlin?' }

const toolRequest = (toolChoice: ToolChoice, messages: ChatMessage[] = [question]): ChatRequest => ({
  messages,
  tools,
  toolChoice,
  temperature: 0,
  maxTokens: 256,
})

const needsTools = ({ features }: ModelFacts) => (features?.tools ? undefined : 'the model calls no tools')

const firstCallOf = ({ choices }: ChatResult) => {
  const [choice] = choices
  const call = choice?.toolCalls?.[0] ?? assert.fail('no tool was called')
  assert.equal(choice?.finish, 'tool_calls')
  return call
}

const parseArguments = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return assert.fail(`the arguments are not JSON: ${text}`)
  }
}

export const chatToolCases: readonly ConformanceCase<ChatCapability>[] = [
  ...cases<ChatCapability>(
    {
      'a tool that is required is called with arguments by its schema': async (service) => {
        const call = firstCallOf(await collect(service.stream(toolRequest('required'), testCall())))
        assert.ok(
          tools.some(({ name }) => name === call.name),
          `there is no tool ${call.name}`,
        )
        const { city } = parseArguments(call.arguments) as { city?: unknown }
        assert.equal(typeof city, 'string', `not by the schema: ${call.arguments}`)
      },
      'the named tool is called': async (service) => {
        const call = firstCallOf(await collect(service.stream(toolRequest({ names: ['time'] }), testCall())))
        assert.equal(call.name, 'time')
      },
      'one of several named tools is called': async (service) => {
        const names = ['time', 'population']
        const call = firstCallOf(await collect(service.stream(toolRequest({ names }), testCall())))
        assert.ok(names.includes(call.name), `${call.name} was not named`)
      },
      'the arguments of a strict tool are valid against its schema': async (service) => {
        const request: ChatRequest = { ...toolRequest('required'), tools: [strictTool] }
        const call = firstCallOf(await collect(service.stream(request, testCall())))
        const { city, days, unit, ...others } = parseArguments(call.arguments) as Record<string, unknown>
        const isValid =
          typeof city === 'string' && Number.isInteger(days) && ['celsius', 'fahrenheit'].includes(String(unit))
        assert.ok(isValid && Object.keys(others).length === 0, `not by the schema: ${call.arguments}`)
      },
      'no more than one tool is called where parallel calls are off': async (service) => {
        const both: ChatMessage = { role: 'user', content: 'What is the weather in Berlin, and what in Paris?' }
        const request: ChatRequest = { ...toolRequest('required', [both]), parallelToolCalls: false }
        const { choices } = await collect(service.stream(request, testCall()))
        assert.equal(choices[0]?.toolCalls?.length, 1)
      },
      'a tool that may be called is one of those that are offered': async (service) => {
        const { choices } = await collect(service.stream(toolRequest('auto'), testCall()))
        for (const { name } of choices[0]?.toolCalls ?? [])
          assert.ok(
            tools.some((tool) => tool.name === name),
            `there is no tool ${name}`,
          )
      },
      'the id and the name come with the first chunk of a call, and ids are unique': async (service) => {
        const ids: string[] = []
        for (let round = 0; round < 2; round++) {
          const chunks = await collectChunks(service.stream(toolRequest('required'), testCall()))
          const calls = chunks.flatMap((chunk) => ('toolCall' in chunk ? [chunk.toolCall] : []))
          const firsts = calls.filter(({ index }, at) => calls.findIndex((call) => call.index === index) === at)
          assert.ok(firsts.length, 'no tool was called')
          for (const { id, name } of firsts) {
            assert.ok(id && name, 'the first chunk of a call lacks the id or the name')
            ids.push(id)
          }
        }
        assert.equal(new Set(ids).size, ids.length, `two calls have the same id: ${ids.join(', ')}`)
      },
      'toolChoice none calls nothing': async (service) => {
        const { choices } = await collect(service.stream(toolRequest('none'), testCall()))
        assert.equal(choices[0]?.toolCalls, undefined)
        assert.notEqual(choices[0]?.finish, 'tool_calls')
      },
      'the result of a tool is taken': async (service) => {
        const toolCalls = [{ id: 'call-1', name: 'weather', arguments: '{"city":"Berlin"}' }]
        const messages: ChatMessage[] = [
          question,
          { role: 'assistant', content: '', toolCalls },
          { role: 'tool', content: 'sunny, 21 °C', toolCallId: 'call-1' },
        ]
        const { choices } = await collect(service.stream(toolRequest('auto', messages), testCall()))
        assert.equal(choices.length, 1, `the stream had ${choices.length} choices`)
      },
    },
    needsTools,
  ),
  ...cases<ChatCapability>(
    {
      'a tool that is required is refused with unsupported by a model that calls none': (service) =>
        rejectsWith(collect(service.stream(toolRequest('required'), testCall())), 'unsupported'),
    },
    ({ features }) => (features?.tools ? 'the model calls tools' : undefined),
  ),
]
