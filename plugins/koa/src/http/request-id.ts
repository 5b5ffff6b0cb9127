import { randomUUID } from 'node:crypto'

/** What tools make of digits, mostly: UUIDs, ids of traces and spans (W3C Trace Context). */
const made = [
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  /^(?=.*[a-f])(?:[\da-f]{16}|[\da-f]{32})$/i,
  /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/i,
]

const short = /^[\w-]{1,64}$/

/** As many as a number of a card, an account or a telephone has at least, with separators between them. */
const longNumber = /\d(?:[_-]*\d){8}/

/**
 * The caller's id of a request where it looks like one, else a new one: it stands in the log, and must not carry the
 * addresses and numbers of whom the request is about there.
 */
export const requestIdOf = (given: string): string =>
  made.some((shape) => shape.test(given)) || (short.test(given) && !longNumber.test(given)) ? given : randomUUID()
