/** Builds the items of a response from the events of a tool loop, and emits an event for each change. */

import type { CallOutcome, RemoteCall, OutputChunk } from '@sallyport/tool-loop'
import type { DialectName } from '../dialect.js'
import { newHexId } from '../values.js'
import { wireItem, wirePart } from './output-items.js'
import type { FunctionItem, ItemStatus, OutputItem, RemoteItem, TextItem } from './output-items.js'

/** An event before it gets its number in the stream. */
export interface ResponseEvent {
  readonly type: string
  readonly [field: string]: unknown
}

type FunctionChunk = Extract<OutputChunk, { toolCall: object }>['toolCall']

const idPrefixes = { message: 'msg', reasoning: 'rs' } as const

const deltaEvents = { message: 'response.output_text', reasoning: 'response.reasoning_text' } as const

export class OutputWriter {
  readonly items: OutputItem[] = []
  /** The one that is being written. */
  private open: TextItem | undefined
  private step = 0
  private readonly functions = new Map<number, FunctionItem>()
  private readonly remotes = new Map<string, RemoteItem>()

  /** @param initials what ids of calls of a server begin with */
  constructor(
    private readonly dialect: DialectName,
    private readonly idPrefixOf: (serverLabel: string) => string,
  ) {}

  *chunk(step: number, chunk: OutputChunk): Generator<ResponseEvent> {
    if (step !== this.step) yield* this.closeText('completed')
    this.step = step
    if ('delta' in chunk) yield* this.text('message', chunk.delta)
    else if ('reasoning' in chunk) yield* this.text('reasoning', chunk.reasoning)
    else yield* this.functionChunk(chunk.toolCall)
  }

  *callBegun({ id, server, name, arguments: text }: RemoteCall): Generator<ResponseEvent> {
    // The model is told that there is no such tool; the caller has nothing to do with it.
    if (server === undefined) return
    yield* this.closeText('completed')
    const item: RemoteItem = {
      ...{ type: 'mcp_call', id: newHexId(this.idPrefixOf(server)), callId: newHexId('mcp'), status: 'in_progress' },
      ...{ serverLabel: server, name, arguments: text },
    }
    this.remotes.set(id, item)
    yield* this.add(item)
    yield this.about(item, 'response.mcp_call.in_progress')
    yield this.about(item, 'response.mcp_call_arguments.delta', { delta: text })
    yield this.about(item, 'response.mcp_call_arguments.done', { arguments: text })
  }

  *callEnded({ id }: RemoteCall, { output, failed }: CallOutcome): Generator<ResponseEvent> {
    const item = this.remotes.get(id)
    if (!item) return
    item.status = failed ? 'failed' : 'completed'
    if (failed) item.error = output
    else item.output = output
    yield this.about(item, `response.mcp_call.${item.status}`)
    yield this.done(item)
  }

  /** Ends all items that are still in progress. */
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

  /** White space before a text is none of it. */
  private *text(type: TextItem['type'], chunk: string): Generator<ResponseEvent> {
    const begins = this.open?.type !== type
    const delta = begins ? chunk.trimStart() : chunk
    if (!delta) return
    if (begins) {
      yield* this.closeText('completed')
      yield* this.begin(type)
    }
    const item = this.open
    if (!item) return
    item.text += delta
    yield this.about(item, `${deltaEvents[type]}.delta`, { content_index: 0, delta, ...this.logprobs(type) })
  }

  private *begin(type: TextItem['type']): Generator<ResponseEvent> {
    const item: TextItem = { type, id: newHexId(idPrefixes[type]), status: 'in_progress', text: '' }
    this.open = item
    yield* this.add(item)
    yield this.about(item, 'response.content_part.added', { content_index: 0, part: wirePart(this.dialect, item) })
  }

  private *closeText(status: ItemStatus): Generator<ResponseEvent> {
    const item = this.open
    if (!item) return
    this.open = undefined
    item.status = status
    const { type, text } = item
    yield this.about(item, `${deltaEvents[type]}.done`, { content_index: 0, text, ...this.logprobs(type) })
    yield this.about(item, 'response.content_part.done', { content_index: 0, part: wirePart(this.dialect, item) })
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
    yield this.about(item, 'response.function_call_arguments.delta', { delta })
  }

  private *closeFunction(item: FunctionItem, status: ItemStatus): Generator<ResponseEvent> {
    item.status = status
    const { name, arguments: text } = item
    yield this.about(item, 'response.function_call_arguments.done', { name, arguments: text })
    yield this.done(item)
  }

  private *add(item: OutputItem): Generator<ResponseEvent> {
    this.items.push(item)
    const begun = item.type === 'function_call' ? { ...item, arguments: '' } : item
    yield { type: 'response.output_item.added', output_index: this.indexOf(item), item: wireItem(this.dialect, begun) }
  }

  private done(item: OutputItem): ResponseEvent {
    return { type: 'response.output_item.done', output_index: this.indexOf(item), item: wireItem(this.dialect, item) }
  }

  private about(item: OutputItem, type: string, fields: object = {}): ResponseEvent {
    return { type, item_id: item.id, output_index: this.indexOf(item), ...fields }
  }

  private indexOf(item: OutputItem): number {
    return this.items.indexOf(item)
  }

  /** OpenAI's text events have them always. */
  private logprobs(type: TextItem['type']): object {
    return this.dialect === 'openai' && type === 'message' ? { logprobs: [] } : {}
  }
}
