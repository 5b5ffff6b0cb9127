/** Maps the kernel's field paths to paths in the body, where messages were assembled from items. */

import type { JsonObject } from '../../schemas/schema.js'
import { wirePath } from '../../body/wire-path.js'
import type { FieldNames } from '../../body/wire-path.js'
import type { MessagePaths } from './items.js'

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

export interface SourcePaths {
  readonly messages: readonly MessagePaths[]
  /** Body positions of the caller's functions, which precede the remote tools in the offer. */
  readonly functions: readonly number[]
}

/**
 * Paths to things that are not in the body (messages of later steps, remote tools) map to the field that caused them.
 */
export const wireFieldOf =
  (sources: SourcePaths, body: JsonObject) =>
  (path: string): string => {
    const [, list, position, rest = ''] = /^(messages|tools)\[(\d+)\](.*)$/.exec(path) ?? []
    if (list === 'messages') return withoutHistoryPath(messageField(sources.messages[Number(position)], rest))
    if (list === 'tools') return toolField(sources.functions[Number(position)], rest, body)
    return wirePath(path, names, body)
  }

/** The items of earlier responses are not in the body. */
const withoutHistoryPath = (field: string): string => field.replace(/^(previous_response_id)\b.*$/, '$1')

const messageField = (paths: MessagePaths | undefined, rest: string): string => {
  if (!paths) return 'input'
  const [, position, call] = /^\.toolCalls\[(\d+)\](.*)$/.exec(rest) ?? []
  if (position !== undefined) return `${paths.calls[Number(position)] ?? 'input'}${call === '.id' ? '.call_id' : call}`
  if (rest === '.toolCallId') return paths.content.replace(/\.\w+$/, '.call_id')
  if (rest.startsWith('.reasoning')) return paths.reasoning ?? paths.content
  if (paths.content.endsWith('.content'))
    return paths.content + rest.replace(/^\.content/, '').replace(/\.image$/, '.image_url')
  return paths.content
}

const toolField = (position: number | undefined, rest: string, { tools }: JsonObject): string => {
  if (position === undefined) return 'tools'
  return (Array.isArray(tools) ? `tools[${position}]` : 'tools') + rest
}
