/** Tools for models whose template knows none: told in the system message, in the form of Hermes 2 Pro and Qwen 2.5. */

import { textOf } from '@sallyport/core'
import type { ChatMessage, FunctionTool, ToolCall } from '@sallyport/core'
import type { CallSyntax } from '../answer/syntax.js'

export const generalSyntax: CallSyntax = {
  begin: ['<tool_call>\n{"name": "'],
  middle: ['", "arguments": '],
  between: ['}\n</tool_call>\n<tool_call>\n{"name": "'],
  end: ['}\n</tool_call>'],
}

/** The conversation without tools: what is called and what comes back are texts of the assistant and the user. */
export const withGeneralTools = (
  messages: readonly ChatMessage[],
  tools: readonly FunctionTool[],
): readonly ChatMessage[] => {
  const said = messages.map(withoutCalls)
  if (tools.length === 0) return said
  const [first] = said
  const rest = first?.role === 'system' ? said.slice(1) : said
  const before = first?.role === 'system' ? `${textOf(first)}\n\n` : ''
  return [{ role: 'system', content: before + instructions(tools) }, ...rest]
}

const withoutCalls = (message: ChatMessage): ChatMessage => {
  if (message.role === 'tool') return { role: 'user', content: `<tool_response>\n${textOf(message)}\n</tool_response>` }
  const { toolCalls = [], ...rest } = message
  if (toolCalls.length === 0) return message
  const texts = [textOf(message), ...toolCalls.map(written)]
  return { ...rest, content: texts.filter((text) => text !== '').join('\n') }
}

const written = ({ name, arguments: text }: ToolCall): string =>
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
