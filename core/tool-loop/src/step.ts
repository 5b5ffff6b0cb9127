/** One question to the model: its answer, chunk by chunk and as a whole. */

import { randomUUID } from 'node:crypto'
import type { ChatChunk, ChatMessage, ToolCall, Finish } from '@sallyport/core'
import type { SpokenChunk } from './events.js'

type CallChunk = Extract<ChatChunk, { toolCall: object }>['toolCall']

/** What a step has said so far. */
export class Step {
  text = ''
  reasoning = ''
  finish: Finish | undefined
  private readonly calls = new Map<number, ToolCall>()

  /**
   * @param isShown whether a call of this name is one of the caller's functions, whose chunks are shown as they come
   * @param ids of the calls of the conversation: models count theirs anew in each step
   */
  constructor(
    private readonly isShown: (name: string) => boolean,
    private readonly ids: Set<string>,
  ) {}

  /** The chunk, where it is to be shown. */
  take(chunk: ChatChunk): SpokenChunk | undefined {
    if ('finish' in chunk) {
      this.finish = chunk
      return undefined
    }
    if ('toolCall' in chunk) return this.takeCall(chunk.toolCall)
    if ('delta' in chunk) this.text += chunk.delta
    else this.reasoning += chunk.reasoning
    return chunk
  }

  /** In the order in which the model made them. */
  get toolCalls(): ToolCall[] {
    return [...this.calls].sort(([one], [other]) => one - other).map(([, call]) => call)
  }

  /** Characters, of all kinds. */
  get length(): number {
    return this.toolCalls.reduce((sum, call) => sum + call.arguments.length, this.text.length + this.reasoning.length)
  }

  message(toolCalls: readonly ToolCall[]): ChatMessage {
    return {
      role: 'assistant',
      content: this.text,
      ...(toolCalls.length ? { toolCalls: [...toolCalls] } : {}),
      ...(this.reasoning ? { reasoning: this.reasoning } : {}),
    }
  }

  private takeCall({ index, id, name, arguments: text }: CallChunk): SpokenChunk | undefined {
    const known = this.calls.get(index)
    const call = known ?? { id: this.newId(id), name: name ?? '', arguments: '' }
    this.calls.set(index, call)
    call.arguments += text
    if (!this.isShown(call.name)) return undefined
    return { toolCall: known ? { index, arguments: text } : { index, ...call, arguments: text } }
  }

  private newId(given: string | undefined): string {
    const id = given && !this.ids.has(given) ? given : `call_${randomUUID()}`
    this.ids.add(id)
    return id
  }
}
