import { createParser } from 'eventsource-parser'
import { BadReply } from '../wire/read.js'

export interface ServerSentEvent {
  readonly data: string
  /** The server marked it as an error: `event: error`, or llama-server's older `error:` lines. */
  readonly error: boolean
}

/**
 * Server-sent events of a body, however its bytes are cut. Comments are skipped; a last event without the blank line
 * that ends it counts.
 * @throws BadReply for an event of more than `limit` characters
 */
export async function* serverSentEvents(
  bytes: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let events: ServerSentEvent[] = []
  const overflow = { happened: false }
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: ({ event, data }) => events.push({ data, error: event === 'error' }),
    onError: ({ type, field, value }) => {
      if (type === 'max-buffer-size-exceeded') overflow.happened = true
      if (type === 'unknown-field' && field === 'error') events.push({ data: value ?? '', error: true })
    },
  })
  const feed = (text: string): readonly ServerSentEvent[] => {
    events = []
    parser.feed(text)
    return events
  }
  for await (const piece of bytes) {
    yield* feed(decoder.decode(piece, { stream: true }))
    if (overflow.happened) throw new BadReply('it sent an event over the limit')
  }
  yield* feed(`${decoder.decode()}\n\n`)
}
