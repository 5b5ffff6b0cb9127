import { failure } from '@sallyport/core'
import type { ChatRequest, FunctionTool } from '@sallyport/core'
import type { CallRules, OfferedTool } from './answer-grammar.js'
import type { CallSyntax } from './syntax.js'

/** The tools that the model may call, and how; undefined where there are none. */
export const callRules = (request: ChatRequest, syntax: CallSyntax): CallRules | undefined => {
  const { toolChoice = 'auto', parallelToolCalls = true } = request
  const tools = offeredTools(request)
  if (tools.length === 0) return undefined
  const isOne = typeof toolChoice === 'object' && toolChoice.names.length === 1
  return { syntax, tools, required: toolChoice !== 'auto', parallel: parallelToolCalls && !isOne }
}

/** Tools that must not be called are not even shown to the model: a small one would call them. */
const offeredTools = ({ tools = [], toolChoice }: ChatRequest): OfferedTool[] => {
  if (toolChoice === 'none') return []
  const all = tools.map((tool, index) => withObjectParameters(tool, `tools[${index}]`))
  return typeof toolChoice === 'object' ? all.filter(({ name }) => toolChoice.names.includes(name)) : all
}

/** In OpenAI's API, a function without `parameters` takes none. */
const noParameters = { type: 'object', properties: {} }

/** Adds `type: object` to a schema that has no type. @throws invalid_request where it says otherwise */
const withObjectParameters = (tool: FunctionTool, field: string): OfferedTool => {
  const { parameters = noParameters } = tool
  if (typeof parameters !== 'object' || parameters === null) return { ...tool, parameters: { type: 'object' }, field }
  const { type = 'object' } = parameters as { readonly type?: unknown }
  if ([type].flat().includes('object')) return { ...tool, parameters: { ...parameters, type: 'object' }, field }
  const problem = 'must be "object": the arguments of a function are an object of named values'
  throw failure('invalid_request', { field: `${field}.parameters.type`, problem })
}
