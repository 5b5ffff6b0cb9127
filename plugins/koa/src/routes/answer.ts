/** The result of a handler, which the adapter sends. */
export type Answer =
  | { readonly kind: 'json'; readonly body: unknown }
  /** JSON text in chunks, for answers that are too large to be made in one go. */
  | { readonly kind: 'chunks'; readonly chunks: Iterable<string> }
  /**
   * A stream of server-sent events. `atEnd` is asked when all else is known: its members belong to the last event.
   * `named`: each event has a `type`, by which OpenAI's dialect names it, and which tells the last one.
   */
  | { readonly kind: 'events'; readonly events: EventSource; readonly named?: true }
  | { readonly kind: 'text'; readonly text: string }
  /** 204 without a body. */
  | { readonly kind: 'empty' }

export type EventSource = (atEnd: () => object) => AsyncIterable<object>

export const json = (body: unknown): Answer => ({ kind: 'json', body })
/** Text that is no JSON. */
export const plain = (text: string): Answer => ({ kind: 'text', text })
export const events = (source: EventSource): Answer => ({ kind: 'events', events: source })
export const namedEvents = (source: EventSource): Answer => ({ kind: 'events', events: source, named: true })

const sliceSize = 16 * 1024

/** A long text in slices; no character is cut. */
export function* slicesOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    const to = characterEnd(text, from + sliceSize)
    yield text.slice(from, to)
    from = to
  }
}

/** The position, or the one before where it is between the halves of a surrogate pair. */
export const characterEnd = (text: string, position: number): number =>
  (text.codePointAt(position - 1) ?? 0) > 0xffff ? position - 1 : position
