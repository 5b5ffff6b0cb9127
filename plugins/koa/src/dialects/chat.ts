/** Chat answers that are not streamed; they look the same in both dialects. */

import type { ChatChoice, ChatResult, ToolCall } from '@sallyport/core'
import type { Envelope } from './identifiers.js'
import { chatLogprobs } from './logprobs.js'
import { usageField } from './usage.js'

export const chatCompletion = (result: ChatResult, envelope: Envelope): object => ({
  ...envelope,
  choices: result.choices.map(wireChoice),
  ...usageField(result.usage),
})

const wireChoice = (choice: ChatChoice, index: number) => {
  const content = choice.text.trimStart()
  const calls = choice.toolCalls
  return {
    index,
    message: {
      role: 'assistant',
      content: calls && !content ? null : content,
      ...(choice.reasoning ? { reasoning: choice.reasoning } : {}),
      ...(calls ? { tool_calls: calls.map(wireToolCall) } : {}),
    },
    finish_reason: choice.finish,
    ...(choice.logprobs ? { logprobs: chatLogprobs(choice.logprobs) } : {}),
  }
}

const wireToolCall = ({ id, name, arguments: text }: ToolCall) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})
