/** Responses as streams of events. An unstreamed answer is the response in the last event, so both are equal. */

import type { LoopEnd, LoopLimit, ToolLoopEvent } from '@sallyport/tool-loop'
import type { SallyportError, Usage } from '@sallyport/core'
import type { ResultDialect } from '../dialect.js'
import { presentationOf } from '../errors.js'
import { OutputWriter } from './output-writer.js'
import type { ResponseEvent } from './output-writer.js'
import { wireResponse } from './resource.js'
import type { RequestEcho, ResponseState } from './resource.js'

export interface ResponseContext {
  readonly dialect: ResultDialect
  readonly id: string
  readonly model: string
  /** Unix seconds. */
  readonly createdAt: number
  /** Whether the response shall be stored. */
  readonly store: boolean
  /** Called when the safeguards have seen the request. */
  readonly echo: () => RequestEcho
  /** Returns the id prefix of the calls of a tool server. */
  readonly idPrefixOf: (serverLabel: string) => string
  /** Makes the error that clients see of a failure. */
  readonly describe: (error: unknown) => SallyportError
  /** Stores a response that has ended, before its last event. @returns whether it is stored */
  readonly save: (state: ResponseState) => boolean
  /** Further fields of the last event; called when the source has ended. */
  readonly lastEventFields: () => object
}

export interface NumberedEvent extends ResponseEvent {
  readonly sequence_number: number
}

/** Only `max_output_tokens` and `content_filter` are OpenAI's. */
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
 * Emits nothing before the loop's first event, so that an earlier refusal becomes an HTTP status.
 * @throws what the loop throws, after the event that reports it
 */
export async function* responseEvents(
  loop: AsyncIterable<ToolLoopEvent>,
  context: ResponseContext,
): AsyncGenerator<NumberedEvent> {
  const response = new ResponseEvents(context)
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

  constructor(private readonly context: ResponseContext) {
    this.writer = new OutputWriter(context.dialect, context.idPrefixOf)
  }

  *handle(event: ToolLoopEvent): Generator<NumberedEvent> {
    yield* this.numbered(this.eventsOf(event))
  }

  *fail(error: unknown): Generator<NumberedEvent> {
    if (!this.echo) return
    const { code, message } = this.context.describe(error)
    const { type, openAiCode } = presentationOf(code)
    const responseError = { code: type === 'server_error' ? 'server_error' : (openAiCode ?? code), message }
    yield* this.numbered(this.writer.close('incomplete'))
    const failed = this.stateEvent(this.state('failed', { error: responseError }))
    yield* this.numbered([{ ...failed, ...this.context.lastEventFields() }])
  }

  private *numbered(events: Iterable<ResponseEvent>): Generator<NumberedEvent> {
    for (const event of events) yield { ...event, sequence_number: this.count++ }
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
    this.echo = this.context.echo()
    const state = this.state('in_progress')
    yield { ...this.stateEvent(state), type: 'response.created' }
    yield this.stateEvent(state)
  }

  private *end(end: LoopEnd, usage: Usage | undefined): Generator<ResponseEvent> {
    const status = end.reason === 'incomplete' ? 'incomplete' : 'completed'
    yield* this.writer.close(status)
    if (end.reason === 'answered' && !this.writer.items.some(({ type }) => type === 'message'))
      yield* this.writer.emptyMessage()
    const completed = status === 'completed' ? { completedAt: Math.floor(Date.now() / 1000) } : {}
    const more = end.reason === 'incomplete' ? { reason: reasons[end.limit] } : completed
    const state = this.state(status, { ...more, ...(usage ? { usage } : {}) })
    const store = state.store && this.context.save(state)
    yield { ...this.stateEvent({ ...state, store }), ...this.context.lastEventFields() }
  }

  private state(status: ResponseState['status'], more: Partial<ResponseState> = {}): ResponseState {
    const { id, model, createdAt, store } = this.context
    return { id, model, createdAt, store, echo: this.echo ?? {}, output: this.writer.items, status, ...more }
  }

  private stateEvent(state: ResponseState): ResponseEvent {
    return { type: `response.${state.status}`, response: wireResponse(this.context.dialect, state) }
  }
}
