/** Converts the items of a request to the messages of a conversation. */

import type { ChatMessage, ToolCall } from '@sallyport/core'
import type { ReadImage } from '../../body/images.js'
import { omitUndefined } from '../generation.js'
import type { ItemBody } from './item-schemas.js'
import { outputText, toContent, toText } from './content.js'
import { invalidField } from '../../invalid-field.js'

/** The body paths from which the parts of a message come. */
export interface MessagePaths {
  content: string
  calls: string[]
  reasoning?: string
}

type Kind = NonNullable<ItemBody['type']>

export type FindItem = (id: string) => ItemBody | undefined

/** Converts items to messages. Reasoning, text and calls of the model in a row become one message. */
export class Conversation {
  readonly messages: ChatMessage[] = []
  readonly paths: MessagePaths[] = []
  /** Reasoning whose message has not been added yet. */
  private pendingReasoning: { readonly text: string; readonly path: string } | undefined

  constructor(
    private readonly read: ReadImage,
    private readonly find: FindItem,
  ) {}

  /** @throws invalid_request */
  add(item: ItemBody, path: string): void {
    this.adders[kindOf(item, path)](item, path)
  }

  push(message: ChatMessage, path: string): void {
    this.flush()
    this.messages.push(message)
    this.paths.push({ content: path, calls: [] })
  }

  /** Adds a message for reasoning that no message followed. */
  flush(): void {
    if (this.pendingReasoning) this.assistantMessage(this.pendingReasoning.path)
  }

  private readonly adders: Readonly<Record<Kind, (item: ItemBody, path: string) => void>> = {
    message: (item, path) => this.addMessage(item, path),
    function_call: (item, path) => {
      const id = required(item, 'call_id', path)
      this.addCall({ id, name: required(item, 'name', path), arguments: required(item, 'arguments', path) }, path)
    },
    function_call_output: (item, path) =>
      this.addResult(required(item, 'call_id', path), item.output, `${path}.output`),
    mcp_call: (item, path) => this.addRemoteCall(item, path),
    // The tools are listed anew.
    mcp_list_tools: () => undefined,
    reasoning: (item, path) => this.addReasoning(item, path),
    item_reference: (item, path) => this.addReference(item, path),
  }

  private addMessage({ role, content }: ItemBody, path: string): void {
    if (role === undefined)
      throw invalidField(`${path}.role`, 'is required: give "system", "developer", "user" or "assistant"')
    if (content === undefined)
      throw invalidField(`${path}.content`, 'is required: give a string or a non-empty array of parts')
    const field = `${path}.content`
    const converted = toContent(content, field, this.read)
    if (role === 'assistant') this.assistantMessage(field).message.content = converted
    else this.push({ role: role === 'developer' ? 'system' : role, content: converted }, field)
  }

  private addCall(call: ToolCall, path: string): void {
    const { message, paths } = this.assistantMessage(path, true)
    message.toolCalls = [...(message.toolCalls ?? []), call]
    paths.calls.push(path)
  }

  private addResult(toolCallId: string, output: unknown, path: string): void {
    this.push({ role: 'tool', content: outputText(output, path), toolCallId }, path)
  }

  private addRemoteCall(item: ItemBody, path: string): void {
    const id = item.call_id ?? item.id ?? `mcp_${this.messages.length}`
    this.addCall({ id, name: required(item, 'name', path), arguments: item.arguments ?? '{}' }, path)
    const field = item.output === undefined ? 'error' : 'output'
    this.addResult(id, item[field] ?? '', `${path}.${field}`)
  }

  private addReasoning({ content, summary }: ItemBody, path: string): void {
    const field = content === undefined ? 'summary' : 'content'
    const text = toText(content ?? summary ?? '', `${path}.${field}`)
    if (!text) return
    this.flush()
    this.pendingReasoning = { text, path: `${path}.${field}` }
  }

  private addReference(item: ItemBody, path: string): void {
    const stored = this.find(required(item, 'id', path))
    if (stored?.type && stored.type !== 'item_reference') {
      this.adders[stored.type](stored, path)
      return
    }
    throw invalidField(`${path}.id`, 'names no stored item: send the item itself')
  }

  /** The message of the model to add to: the last one if `joins`, else a new one with the pending reasoning. */
  private assistantMessage(
    path: string,
    joins = false,
  ): { readonly message: ChatMessage; readonly paths: MessagePaths } {
    const [last, lastPaths] = [this.messages.at(-1), this.paths.at(-1)]
    if (joins && !this.pendingReasoning && last?.role === 'assistant' && lastPaths)
      return { message: last, paths: lastPaths }
    const { text, path: textPath } = this.pendingReasoning ?? {}
    this.pendingReasoning = undefined
    const message: ChatMessage = { role: 'assistant', content: '', ...omitUndefined({ reasoning: text }) }
    const paths: MessagePaths = { content: path, calls: [], ...omitUndefined({ reasoning: textPath }) }
    this.messages.push(message)
    this.paths.push(paths)
    return { message, paths }
  }
}

const required = (item: ItemBody, name: 'id' | 'call_id' | 'name' | 'arguments', path: string): string => {
  const value = item[name]
  if (value !== undefined) return value
  const problem = `is required for an item of the type "${item.type ?? kindOf(item, path)}": give a string`
  throw invalidField(`${path}.${name}`, problem)
}

/** Infers the type from the fields, where clients leave it out. */
const kindOf = ({ type, role, content, call_id: id, name, output }: ItemBody, path: string): Kind => {
  if (type) return type
  if (role !== undefined || content !== undefined) return 'message'
  if (id !== undefined && name !== undefined) return 'function_call'
  if (id !== undefined && output !== undefined) return 'function_call_output'
  throw invalidField(path, 'must be an object with a role and content, or an item of one of the documented types')
}
