import { createParser } from 'eventsource-parser'
import type { JsonEvents } from '../wire/generation.js'
import { BadReply, parseJson } from '../wire/read.js'
import { refusalIn } from './refusal.js'

/** A body that is being received. */
export interface IncomingBody {
  bytes(limit: number): AsyncIterable<Uint8Array>
  expectEnd(): void
}

/** The JSON values of a reply that is a stream of events, up to `[DONE]`. */
export class ReplyEvents implements JsonEvents {
  done = false

  /** @param limits of the whole stream and of one event, in bytes */
  constructor(
    private readonly body: IncomingBody,
    private readonly limits: { readonly stream: number; readonly event: number },
  ) {}

  expectEnd(): void {
    this.body.expectEnd()
  }

  /** @throws BadReply, Refusal for an error in the stream, connection errors */
  async *[Symbol.asyncIterator](): AsyncGenerator {
    for await (const { data, error } of serverSentEvents(this.body.bytes(this.limits.stream), this.limits.event)) {
      const text = data.trim()
      if (text === '[DONE]') {
        this.done = true
        return
      }
      if (text === '') continue
      const value = parseJson(text)
      const refusal = refusalIn(value, error)
      if (refusal) throw refusal
      yield value
    }
  }
}

interface ServerSentEvent {
  readonly data: string
  /** Whether the server marked it as an error, by `event: error` or by the older `error:` lines of llama-server. */
  readonly error: boolean
}

/**
 * Server-sent events of a body, however its bytes are split. Comments are skipped; a last event does not need the blank
 * line at its end.
 * @throws BadReply for an event of more than `limit` characters
 */
async function* serverSentEvents(bytes: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let events: ServerSentEvent[] = []
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: ({ event, data }) => events.push({ data, error: event === 'error' }),
    onError: ({ type, field, value }) => {
      if (type === 'max-buffer-size-exceeded') isTooLong = true
      if (type === 'unknown-field' && field === 'error') events.push({ data: value ?? '', error: true })
    },
  })
  const feed = (text: string): readonly ServerSentEvent[] => {
    events = []
    parser.feed(text)
    return events
  }
  for await (const chunk of bytes) {
    yield* feed(decoder.decode(chunk, { stream: true }))
    if (isTooLong as boolean) throw new BadReply('it sent an event over the limit')
  }
  yield* feed(`${decoder.decode()}\n\n`)
}
