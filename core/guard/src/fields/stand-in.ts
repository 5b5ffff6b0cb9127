/** Names that mean nothing, for identifiers that callers and models make: one that looks like a name may be a secret. */

import { createHmac, randomBytes } from 'node:crypto'

/** The key of this process: nobody can try out what a stand-in is for. */
const key = randomBytes(32)

/** Letters and digits: as many as every server takes, and some take no others. */
const length = 9
const prefix = 'call'

/** For the identifiers of one request, by the order in which they come: the same request is the same prompt everywhere. */
export const numberedStandIns = (): ((identifier: string) => string) => {
  const known = new Map<string, string>()
  return (identifier) => {
    const standIn = known.get(identifier) ?? prefix + String(known.size + 1).padStart(length - prefix.length, '0')
    known.set(identifier, standIn)
    return standIn
  }
}

/** For an identifier of an answer: the same for the same one, and another one than in the answers before. */
export const standInFor = (identifier: string): string => {
  const digest = createHmac('sha256', key).update(identifier).digest('hex')
  return BigInt(`0x${digest}`).toString(36).slice(-length)
}
