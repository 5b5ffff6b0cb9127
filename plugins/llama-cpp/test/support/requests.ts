import type { ChatRequest, FunctionTool } from '@sallyport/core'
import type { AnswerRules } from '../../src/answer/answer-grammar.js'
import { callRules } from '../../src/answer/call-rules.js'
import type { CallSyntax, ReasoningSyntax } from '../../src/answer/syntax.js'

/** What requests ask for, and calls in the general syntax. */

export const object = (properties: object, rest: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...rest,
})

export const weather: FunctionTool = { name: 'weather', parameters: object({ city: { type: 'string' } }), strict: true }
export const time: FunctionTool = { name: 'time', parameters: object({ hour: { enum: [1, 2] } }) }
export const anything: FunctionTool = { name: 'anything', parameters: {} }
export const tools = [weather, time]

export type RequestParts = Partial<Pick<ChatRequest, 'tools' | 'toolChoice' | 'parallelToolCalls' | 'responseFormat'>>

export const rulesOf = (request: RequestParts, syntax: CallSyntax, reasoning?: ReasoningSyntax): AnswerRules => ({
  calls: callRules({ messages: [], ...request }, syntax),
  format: request.responseFormat?.type === 'text' ? undefined : request.responseFormat,
  reasoning,
})

export const rain = '<tool_call>\n{"name": "weather", "arguments": {"city": "Rom"}}\n</tool_call>'
export const clock = '<tool_call>\n{"name": "time", "arguments": {"hour": 1}}\n</tool_call>'
export const any = (text: string) => `<tool_call>\n{"name": "anything", "arguments": ${text}}\n</tool_call>`

export const schema = object({ n: { type: 'integer' } })
export const answerSchema = { type: 'json_schema', schema, strict: true } as const
