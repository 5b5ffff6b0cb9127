import { characterStart } from '@sallyport/kit/text'

/** An answer: the result of a handler, which the adapter sends as the HTTP response. */
export type Answer =
  | { readonly kind: 'json'; readonly body: unknown }
  /** JSON text in chunks, for answers that are too large to be made in one go. */
  | { readonly kind: 'chunks'; readonly chunks: Iterable<string> }
  /**
   * A stream of server-sent events. `named`: each event has a `type`, which the OpenAI dialect also sends as the name
   * of the SSE event; the last event is known by its type, so there is no `[DONE]`.
   */
  | { readonly kind: 'events'; readonly events: EventSource; readonly named?: true }
  | { readonly kind: 'text'; readonly text: string }
  /** 204 without a body. */
  | { readonly kind: 'empty' }

/** @param lastEventFields returns further fields of the last event; called when the source has ended */
export type EventSource = (lastEventFields: () => object) => AsyncIterable<object>

export const json = (body: unknown): Answer => ({ kind: 'json', body })
/** Text that is not JSON. */
export const plain = (text: string): Answer => ({ kind: 'text', text })
export const events = (source: EventSource): Answer => ({ kind: 'events', events: source })
export const namedEvents = (source: EventSource): Answer => ({ kind: 'events', events: source, named: true })

const sliceSize = 16 * 1024

/** Splits a long text into slices; no character is cut. */
export function* slicesOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    const to = characterStart(text, from + sliceSize)
    yield text.slice(from, to)
    from = to
  }
}
