import { randomUUID } from 'node:crypto'
import type { ChatChunk, ChatMessage, ToolCall, Finish } from '@sallyport/core'
import type { AnswerChunk } from './events.js'

type CallChunk = Extract<ChatChunk, { toolCall: object }>['toolCall']

/** The model's answer in one step, collected from its chunks. */
export class StepAnswer {
  text = ''
  reasoning = ''
  finish: Finish | undefined
  private readonly calls = new Map<number, ToolCall>()

  /**
   * @param isShown whether the caller gets the chunks of calls of this name: those of its own functions
   * @param ids the ids of all calls of the conversation, since models may repeat theirs in each step
   */
  constructor(
    private readonly isShown: (name: string) => boolean,
    private readonly ids: Set<string>,
  ) {}

  /** Adds a chunk. @returns the chunk for the caller, if it gets one */
  take(chunk: ChatChunk): AnswerChunk | undefined {
    if ('finish' in chunk) {
      this.finish = chunk
      return undefined
    }
    if ('toolCall' in chunk) return this.takeCall(chunk.toolCall)
    if ('delta' in chunk) this.text += chunk.delta
    else this.reasoning += chunk.reasoning
    return chunk
  }

  /** The calls in the model's order. */
  get toolCalls(): ToolCall[] {
    return [...this.calls].sort(([one], [other]) => one - other).map(([, call]) => call)
  }

  /** UTF-16 code units of text, reasoning and arguments together. */
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

  private takeCall({ index, id, name = '', arguments: text }: CallChunk): AnswerChunk | undefined {
    const existing = this.calls.get(index)
    const call = existing ?? { id: this.newId(id), name, arguments: '' }
    this.calls.set(index, call)
    call.arguments += text
    if (!this.isShown(call.name)) return undefined
    return { toolCall: existing ? { index, arguments: text } : { index, ...call, arguments: text } }
  }

  private newId(idOfModel: string | undefined): string {
    const id = idOfModel && !this.ids.has(idOfModel) ? idOfModel : `call_${randomUUID()}`
    this.ids.add(id)
    return id
  }
}
