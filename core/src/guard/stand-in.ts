/** Names that mean nothing, for identifiers that callers and models make: one that looks like a name may be a secret. */

import { createHmac, randomBytes } from 'node:crypto'

/** Of this process: stand-ins have to agree within a request only, and nobody can try out what one stands for. */
const key = randomBytes(32)

/** Letters and digits: as many as every server takes, and some take no others. */
const length = 9

/** Ids that count are too short to say anything, and models of some size read them best. */
const counting = /^(?:call|tool|function|fc)?[_-]?\d{1,3}$/

/** The same for the same identifier. */
export const standInFor = (identifier: string): string => {
  if (counting.test(identifier)) return identifier
  const digest = createHmac('sha256', key).update(identifier).digest('hex')
  return BigInt(`0x${digest}`).toString(36).slice(-length)
}
