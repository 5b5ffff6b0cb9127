/** Responses as streams of events. What is not streamed is the response of the last event: both are equal. */

import type { LoopEnd, LoopLimit, ToolLoopEvent } from '@sallyport/tool-loop'
import type { SallyportError, Usage } from '@sallyport/core'
import type { DialectName } from '../dialect.js'
import { presentationOf } from '../errors.js'
import { OutputWriter } from './output-writer.js'
import type { ResponseEvent } from './output-writer.js'
import { wireResponse } from './resource.js'
import type { RequestEcho, ResponseState } from './resource.js'

export interface ResponseFrame {
  readonly dialect: DialectName
  readonly id: string
  readonly model: string
  /** Unix seconds. */
  readonly createdAt: number
  /** Whether the response shall be kept. */
  readonly store: boolean
  /** Asked when the safeguards have seen the request. */
  readonly echo: () => RequestEcho
  /** What ids of calls of a server begin with. */
  readonly idPrefixOf: (serverLabel: string) => string
  /** What a client may hear of a failure. */
  readonly describe: (error: unknown) => SallyportError
  /** Stores a response that has ended, before its last event. @returns whether it is stored */
  readonly save: (state: ResponseState) => boolean
  /** What the last event says besides; asked when the source has ended. */
  readonly atEnd: () => object
}

export interface NumberedEvent extends ResponseEvent {
  readonly sequence_number: number
}

/** OpenAI's word for two of them. */
const reasons: Readonly<Record<LoopLimit, string>> = {
  steps: 'max_steps',
  time: 'max_time',
  tokens: 'max_output_tokens',
  context: 'max_context_length',
  calls: 'max_tool_calls',
  repeated: 'repeated_tool_call',
  content_filter: 'content_filter',
  invalid_output: 'invalid_output',
}

/**
 * Nothing comes before the loop's first event: until then a refusal can be a status.
 * @throws what the loop throws, behind the event that tells of it
 */
export async function* responseEvents(
  loop: AsyncIterable<ToolLoopEvent>,
  frame: ResponseFrame,
): AsyncGenerator<NumberedEvent> {
  const response = new ResponseEvents(frame)
  try {
    for await (const event of loop) yield* response.handle(event)
  } catch (error) {
    yield* response.fail(error)
    throw error
  }
}

class ResponseEvents {
  private readonly writer: OutputWriter
  private echo: RequestEcho | undefined
  private count = 0

  constructor(private readonly frame: ResponseFrame) {
    this.writer = new OutputWriter(frame.dialect, frame.idPrefixOf)
  }

  *handle(event: ToolLoopEvent): Generator<NumberedEvent> {
    for (const one of this.eventsOf(event)) yield { ...one, sequence_number: this.count++ }
  }

  *fail(error: unknown): Generator<NumberedEvent> {
    if (!this.echo) return
    const { code, message } = this.frame.describe(error)
    const { type, openAiCode } = presentationOf(code)
    const shown = { code: type === 'server_error' ? 'server_error' : (openAiCode ?? code), message }
    for (const one of this.writer.close('incomplete')) yield { ...one, sequence_number: this.count++ }
    const failed = this.about(this.state('failed', { error: shown }))
    yield { ...failed, ...this.frame.atEnd(), sequence_number: this.count++ }
  }

  private *eventsOf(event: ToolLoopEvent): Generator<ResponseEvent> {
    if (!this.echo) yield* this.begin()
    switch (event.type) {
      case 'chunk':
        yield* this.writer.chunk(event.step, event.chunk)
        return
      case 'call_begun':
        yield* this.writer.callBegun(event.call)
        return
      case 'call_ended':
        yield* this.writer.callEnded(event.call, event.outcome)
        return
      case 'end':
        yield* this.end(event.end, event.usage)
    }
  }

  private *begin(): Generator<ResponseEvent> {
    this.echo = this.frame.echo()
    const state = this.state('in_progress')
    yield { ...this.about(state), type: 'response.created' }
    yield this.about(state)
  }

  private *end(end: LoopEnd, usage: Usage | undefined): Generator<ResponseEvent> {
    const status = end.reason === 'incomplete' ? 'incomplete' : 'completed'
    yield* this.writer.close(status)
    if (end.reason === 'answered' && !this.writer.items.some(({ type }) => type === 'message'))
      yield* this.writer.emptyMessage()
    const completed = status === 'completed' ? { completedAt: Math.floor(Date.now() / 1000) } : {}
    const more = end.reason === 'incomplete' ? { reason: reasons[end.limit] } : completed
    const state = this.state(status, { ...more, ...(usage ? { usage } : {}) })
    const store = state.store && this.frame.save(state)
    yield { ...this.about({ ...state, store }), ...this.frame.atEnd() }
  }

  private state(status: ResponseState['status'], more: Partial<ResponseState> = {}): ResponseState {
    const { id, model, createdAt, store } = this.frame
    return { id, model, createdAt, store, echo: this.echo ?? {}, output: this.writer.items, status, ...more }
  }

  private about(state: ResponseState): ResponseEvent {
    return { type: `response.${state.status}`, response: wireResponse(this.frame.dialect, state) }
  }
}
