/** Builds the items of a response from the events of a tool loop, and emits an event for each change. */

import type { CallOutcome, RemoteCall, AnswerChunk } from '@sallyport/tool-loop'
import type { ResultDialect } from '../dialect.js'
import { newHexId } from '../values.js'
import { wireItem, wirePart } from './output-items.js'
import type { FunctionItem, ItemStatus, OutputItem, RemoteItem, TextItem } from './output-items.js'

/** An event before it gets its number in the stream. */
export interface ResponseEvent {
  readonly type: string
  readonly [field: string]: unknown
}

type FunctionChunk = Extract<AnswerChunk, { toolCall: object }>['toolCall']

const idPrefixes = { message: 'msg', reasoning: 'rs' } as const

const deltaEvents = { message: 'response.output_text', reasoning: 'response.reasoning_text' } as const

export class OutputWriter {
  readonly items: OutputItem[] = []
  /** The text item that is being written. */
  private openText: TextItem | undefined
  private step = 0
  private readonly functions = new Map<number, FunctionItem>()
  private readonly remotes = new Map<string, RemoteItem>()

  /** @param idPrefixOf returns the id prefix of the calls of a tool server */
  constructor(
    private readonly dialect: ResultDialect,
    private readonly idPrefixOf: (serverLabel: string) => string,
  ) {}

  *chunk(step: number, chunk: AnswerChunk): Generator<ResponseEvent> {
    if (step !== this.step) yield* this.closeText('completed')
    this.step = step
    if ('delta' in chunk) yield* this.text('message', chunk.delta)
    else if ('reasoning' in chunk) yield* this.text('reasoning', chunk.reasoning)
    else yield* this.functionChunk(chunk.toolCall)
  }

  *callBegun({ id, server, name, arguments: text }: RemoteCall): Generator<ResponseEvent> {
    // No server has the tool: the model is told so, and the caller sees nothing of it.
    if (server === undefined) return
    yield* this.closeText('completed')
    const item: RemoteItem = {
      ...{ type: 'mcp_call', id: newHexId(this.idPrefixOf(server)), callId: newHexId('mcp'), status: 'in_progress' },
      ...{ serverLabel: server, name, arguments: text },
    }
    this.remotes.set(id, item)
    yield* this.add(item)
    yield this.itemEvent(item, 'response.mcp_call.in_progress')
    yield this.itemEvent(item, 'response.mcp_call_arguments.delta', { delta: text })
    yield this.itemEvent(item, 'response.mcp_call_arguments.done', { arguments: text })
  }

  *callEnded({ id }: RemoteCall, { output, failed }: CallOutcome): Generator<ResponseEvent> {
    const item = this.remotes.get(id)
    if (!item) return
    item.status = failed ? 'failed' : 'completed'
    if (failed) item.error = output
    else item.output = output
    yield this.itemEvent(item, `response.mcp_call.${item.status}`)
    yield this.done(item)
  }

  *close(status: ItemStatus): Generator<ResponseEvent> {
    yield* this.closeText(status)
    for (const item of this.functions.values())
      if (item.status === 'in_progress') yield* this.closeFunction(item, status)
    for (const item of this.remotes.values())
      if (item.status === 'in_progress') {
        item.status = status
        yield this.done(item)
      }
  }

  /** An answer that says nothing is an empty message. */
  *emptyMessage(): Generator<ResponseEvent> {
    yield* this.begin('message')
    yield* this.closeText('completed')
  }

  /** Drops leading white space. */
  private *text(type: TextItem['type'], chunk: string): Generator<ResponseEvent> {
    const begins = this.openText?.type !== type
    const delta = begins ? chunk.trimStart() : chunk
    if (!delta) return
    if (begins) {
      yield* this.closeText('completed')
      yield* this.begin(type)
    }
    const item = this.openText
    if (!item) return
    item.text += delta
    yield this.itemEvent(item, `${deltaEvents[type]}.delta`, { content_index: 0, delta, ...this.logprobs(type) })
  }

  private *begin(type: TextItem['type']): Generator<ResponseEvent> {
    const item: TextItem = { type, id: newHexId(idPrefixes[type]), status: 'in_progress', text: '' }
    this.openText = item
    yield* this.add(item)
    yield this.itemEvent(item, 'response.content_part.added', { content_index: 0, part: wirePart(this.dialect, item) })
  }

  private *closeText(status: ItemStatus): Generator<ResponseEvent> {
    const item = this.openText
    if (!item) return
    this.openText = undefined
    item.status = status
    const { type, text } = item
    yield this.itemEvent(item, `${deltaEvents[type]}.done`, { content_index: 0, text, ...this.logprobs(type) })
    yield this.itemEvent(item, 'response.content_part.done', { content_index: 0, part: wirePart(this.dialect, item) })
    yield this.done(item)
  }

  private *functionChunk({ index, id, name, arguments: delta }: FunctionChunk): Generator<ResponseEvent> {
    yield* this.closeText('completed')
    let item = this.functions.get(index)
    if (!item) {
      item = {
        ...{ type: 'function_call', id: newHexId('fc'), status: 'in_progress', arguments: '' },
        ...{ callId: id ?? newHexId('call'), name: name ?? '' },
      }
      this.functions.set(index, item)
      yield* this.add(item)
    }
    if (!delta) return
    item.arguments += delta
    yield this.itemEvent(item, 'response.function_call_arguments.delta', { delta })
  }

  private *closeFunction(item: FunctionItem, status: ItemStatus): Generator<ResponseEvent> {
    item.status = status
    const { name, arguments: text } = item
    yield this.itemEvent(item, 'response.function_call_arguments.done', { name, arguments: text })
    yield this.done(item)
  }

  private *add(item: OutputItem): Generator<ResponseEvent> {
    this.items.push(item)
    const start = item.type === 'function_call' ? { ...item, arguments: '' } : item
    const index = this.items.indexOf(item)
    yield { type: 'response.output_item.added', output_index: index, item: wireItem(this.dialect, start) }
  }

  private done(item: OutputItem): ResponseEvent {
    const index = this.items.indexOf(item)
    return { type: 'response.output_item.done', output_index: index, item: wireItem(this.dialect, item) }
  }

  private itemEvent(item: OutputItem, type: string, fields: object = {}): ResponseEvent {
    return { type, item_id: item.id, output_index: this.items.indexOf(item), ...fields }
  }

  /** OpenAI's text events always have `logprobs`. */
  private logprobs(type: TextItem['type']): object {
    return this.dialect === 'openai' && type === 'message' ? { logprobs: [] } : {}
  }
}
