/** From the kernel's names of a request's fields to those of the body, where messages were put together of items. */

import type { JsonObject } from '../../schemas/schema.js'
import { wirePath } from '../../body/wire-path.js'
import type { FieldNames } from '../../body/wire-path.js'
import type { MessagePlace } from './items.js'

const names: FieldNames = {
  topP: 'top_p',
  maxTokens: 'max_output_tokens',
  toolChoice: 'tool_choice',
  'toolChoice.names': 'tool_choice.name',
  parallelToolCalls: 'parallel_tool_calls',
  responseFormat: 'text.format',
  'responseFormat.schema': 'text.format.schema',
  reasoningEffort: 'reasoning.effort',
  'requested.url': 'tools.server_url',
  'requested.description': 'tools.server_description',
  'requested.headers': 'tools.headers',
  'requested.authorization': 'tools.authorization',
}

export interface Places {
  readonly messages: readonly MessagePlace[]
  /** Positions in the body of the functions that are offered first. */
  readonly functions: readonly number[]
}

/** What no one asked for in the body (the conversation's later steps, tools of servers) is the field that led to it. */
export const wireFieldOf =
  (places: Places, body: JsonObject) =>
  (path: string): string => {
    const [, list, position, rest = ''] = /^(messages|tools)\[(\d+)\](.*)$/.exec(path) ?? []
    if (list === 'messages') return withoutHistoryPath(messageField(places.messages[Number(position)], rest))
    if (list === 'tools') return toolField(places.functions[Number(position)], rest, body)
    return wirePath(path, names, body)
  }

/** What an earlier response holds is not in the body. */
const withoutHistoryPath = (field: string): string => field.replace(/^(previous_response_id)\b.*$/, '$1')

const messageField = (place: MessagePlace | undefined, rest: string): string => {
  if (!place) return 'input'
  const [, position, call] = /^\.toolCalls\[(\d+)\](.*)$/.exec(rest) ?? []
  if (position !== undefined) return `${place.calls[Number(position)] ?? 'input'}${call === '.id' ? '.call_id' : call}`
  if (rest === '.toolCallId') return place.content.replace(/\.\w+$/, '.call_id')
  if (rest.startsWith('.reasoning')) return place.reasoning ?? place.content
  if (place.content.endsWith('.content'))
    return place.content + rest.replace(/^\.content/, '').replace(/\.image$/, '.image_url')
  return place.content
}

const toolField = (position: number | undefined, rest: string, { tools }: JsonObject): string => {
  if (position === undefined) return 'tools'
  return (Array.isArray(tools) ? `tools[${position}]` : 'tools') + rest
}
