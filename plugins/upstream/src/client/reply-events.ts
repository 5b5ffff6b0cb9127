import type { JsonEvents } from '../wire/generation.js'
import { parseJson } from '../wire/read.js'
import { serverSentEvents } from './events.js'
import { refusalIn } from './refusal.js'

/** A body that is being received. */
export interface IncomingBody {
  bytes(limit: number): AsyncIterable<Uint8Array>
  hurry(): void
}

/** The JSON values of a reply that is a stream of events, up to `[DONE]`. */
export class ReplyEvents implements JsonEvents {
  #done = false

  /** @param limits of the whole stream and of one event, in bytes */
  constructor(
    private readonly body: IncomingBody,
    private readonly limits: { readonly stream: number; readonly event: number },
  ) {}

  get done(): boolean {
    return this.#done
  }

  hurry(): void {
    this.body.hurry()
  }

  /** @throws BadReply, Refusal for an error in the stream, connection errors */
  async *[Symbol.asyncIterator](): AsyncGenerator {
    for await (const { data, error } of serverSentEvents(this.body.bytes(this.limits.stream), this.limits.event)) {
      const text = data.trim()
      if (text === '[DONE]') {
        this.#done = true
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
