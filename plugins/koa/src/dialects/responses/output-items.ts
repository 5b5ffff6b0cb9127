/** The items of a response, and how each dialect writes them. */

import type { ResultDialect } from '../dialect.js'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed'

interface ItemBase {
  readonly id: string
  status: ItemStatus
}

/** Text or reasoning of the model. */
export interface TextItem extends ItemBase {
  readonly type: 'message' | 'reasoning'
  text: string
}

export interface FunctionItem extends ItemBase {
  readonly type: 'function_call'
  readonly callId: string
  readonly name: string
  arguments: string
}

export interface RemoteItem extends ItemBase {
  readonly type: 'mcp_call'
  readonly callId: string
  readonly serverLabel: string
  readonly name: string
  readonly arguments: string
  output?: string
  error?: string
}

export type OutputItem = TextItem | FunctionItem | RemoteItem

/** The content part of a text item. */
export const wirePart = (dialect: ResultDialect, { type, text }: Pick<TextItem, 'type' | 'text'>): object => {
  if (type === 'reasoning') return { type: 'reasoning_text', text }
  return { type: 'output_text', text, ...(dialect === 'openai' ? { annotations: [], logprobs: [] } : {}) }
}

export const wireItem = (dialect: ResultDialect, item: OutputItem): object => {
  switch (item.type) {
    case 'message':
      return { type: 'message', id: item.id, status: item.status, role: 'assistant', content: contentOf(dialect, item) }
    case 'reasoning':
      return {
        ...{ type: 'reasoning', id: item.id, status: item.status, content: contentOf(dialect, item) },
        ...(dialect === 'openai' ? { summary: [] } : {}),
      }
    case 'function_call':
      return {
        ...{ type: 'function_call', id: item.id, call_id: item.callId, name: item.name },
        ...{ arguments: item.arguments, status: item.status },
      }
    case 'mcp_call':
      return {
        ...{ type: 'mcp_call', id: item.id, call_id: item.callId, status: item.status, name: item.name },
        ...{ arguments: item.arguments, server_label: item.serverLabel, ...resultOf(dialect, item) },
      }
  }
}

/** OpenAI's is a list of parts, empty before the first one; the specification's is the one part. */
const contentOf = (dialect: ResultDialect, item: TextItem): object => {
  const part = wirePart(dialect, item)
  if (dialect === 'specification') return part
  return item.status === 'in_progress' && !item.text ? [] : [part]
}

const resultOf = (dialect: ResultDialect, { output, error }: RemoteItem): object => {
  if (dialect === 'openai') return { output: output ?? null, error: error ?? null, approval_request_id: null }
  return { ...(output === undefined ? {} : { output }), ...(error === undefined ? {} : { error }) }
}
