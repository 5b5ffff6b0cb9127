/** Meaningless stand-ins for identifiers of callers and models, which are not inspected and might contain secrets. */

import { createHmac, randomBytes } from 'node:crypto'

/** A random key of this process, so that identifiers cannot be guessed from their stand-ins. */
const key = randomBytes(32)

/** Length of a stand-in. Some servers accept nine letters and digits only. */
const length = 9
const prefix = 'call'

/** Numbers the identifiers of one request, so that equal requests become equal prompts. */
export const numberedStandIns = (): ((identifier: string) => string) => {
  const known = new Map<string, string>()
  return (identifier) => {
    const standIn = known.get(identifier) ?? prefix + String(known.size + 1).padStart(length - prefix.length, '0')
    known.set(identifier, standIn)
    return standIn
  }
}

/** The stand-in for an identifier of an answer; equal identifiers get equal stand-ins in this process. */
export const standInFor = (identifier: string): string => {
  const digest = createHmac('sha256', key).update(identifier).digest('hex')
  return BigInt(`0x${digest}`).toString(36).slice(-length)
}
