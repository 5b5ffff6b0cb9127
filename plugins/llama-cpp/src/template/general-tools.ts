/** Describes tools in the system message, in the form of Hermes 2 Pro and Qwen 2.5, where a template supports none. */

import { textOf } from '@sallyport/kit/generation'
import type { ChatMessage, FunctionTool, ToolCall } from '@sallyport/core'
import type { CallSyntax } from '../answer/syntax.js'

export const generalSyntax: CallSyntax = {
  begin: ['<tool_call>\n{"name": "'],
  middle: ['", "arguments": '],
  between: ['}\n</tool_call>\n<tool_call>\n{"name": "'],
  end: ['}\n</tool_call>'],
}

/**
 * Writes tools, calls and their results as texts of the conversation.
 * @param role of the message that describes the tools: the user where the template takes no system message
 */
export const withGeneralTools = (
  messages: readonly ChatMessage[],
  tools: readonly FunctionTool[],
  role: 'system' | 'user',
): readonly ChatMessage[] => {
  const turns = withJoinedResults(messages).map(withoutCalls)
  if (tools.length === 0) return turns
  const [first] = turns
  if (first?.role !== role) return [{ role, content: instructions(tools) }, ...turns]
  const texts = role === 'system' ? [textOf(first), instructions(tools)] : [instructions(tools), textOf(first)]
  return [{ ...first, content: texts.join('\n\n') }, ...turns.slice(1)]
}

/** Joins successive results, and a user message after them, into one user message, because turns must alternate. */
const withJoinedResults = (messages: readonly ChatMessage[]): readonly ChatMessage[] => {
  const joined: ChatMessage[] = []
  messages.forEach((message, index) => {
    const { role } = message
    const own: ChatMessage = role === 'tool' ? { role: 'user', content: resultText(message) } : message
    const last = joined.at(-1)
    const follows = messages[index - 1]?.role === 'tool' && own.role === 'user'
    if (last && follows) joined[joined.length - 1] = { role: 'user', content: `${textOf(last)}\n${textOf(own)}` }
    else joined.push(own)
  })
  return joined
}

const resultText = (message: ChatMessage): string => `<tool_response>\n${textOf(message)}\n</tool_response>`

const withoutCalls = (message: ChatMessage): ChatMessage => {
  const { toolCalls = [], ...rest } = message
  if (toolCalls.length === 0) return message
  const texts = [textOf(message), ...toolCalls.map(callText)]
  return { ...rest, content: texts.filter((text) => text !== '').join('\n') }
}

const callText = ({ name, arguments: text }: ToolCall): string =>
  `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${text || '{}'}}\n</tool_call>`

const instructions = (tools: readonly FunctionTool[]): string => `# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
${tools.map(signature).join('\n')}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>`

const signature = ({ name, description, parameters = { type: 'object', properties: {} } }: FunctionTool): string =>
  JSON.stringify({
    type: 'function',
    function: { name, ...(description === undefined ? {} : { description }), parameters },
  })
