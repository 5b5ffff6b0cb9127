import type { Token } from '@sallyport/core'
import type { Envelope } from './identifiers.js'

/** Tokens that become JSON in one go. */
const atOnce = 256

/**
 * In pieces: a hundred thousand tokens as one JSON text would hold the event loop for a second. Clients read either
 * `tokens` or `data`: the list is written twice.
 */
export function* tokenList(tokens: readonly Token[], envelope: Envelope): Generator<string> {
  yield `${JSON.stringify(envelope).slice(0, -1)},"tokens":[`
  yield* items(tokens)
  yield '],"data":['
  yield* items(tokens)
  yield ']}'
}

function* items(tokens: readonly Token[]): Generator<string> {
  for (let from = 0; from < tokens.length; from += atOnce) {
    const list = JSON.stringify(tokens.slice(from, from + atOnce).map(item))
    yield (from ? ',' : '') + list.slice(1, -1)
  }
}

/** Clients read either `stop` or `end`. */
const item = ({ id, start, end, text }: Token) => ({ id, start, stop: end, end, text })
