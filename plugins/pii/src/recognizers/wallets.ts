/** Validates wallet addresses, and generates others of the same kind. */

import { createHash } from 'node:crypto'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest())
/** The length in bytes: a version and the hash of a key. */
const payloadLength = 21

/** Undefined where the library throws, as it does for other encodings. */
const undefinedIfThrown = <Result>(work: () => Result): Result | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

export const isBase58Check = (text: string): boolean =>
  undefinedIfThrown(() => base58check.decode(text))?.length === payloadLength

/** Another wallet of the same kind. */
export const randomBase58Check = (original: string, byte: () => number): string | undefined => {
  const version = undefinedIfThrown(() => base58.decode(original))?.[0]
  if (version === undefined) return undefined
  return base58check.encode(Uint8Array.from([version, ...Array.from({ length: payloadLength - 1 }, byte)]))
}

const bech32Alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const checkLength = 6

export const isBech32 = (text: string): boolean =>
  [bech32, bech32m].some((encoding) => encoding.decodeUnsafe(text) !== undefined)

/** Another wallet with the same prefix, version and length. */
export const randomBech32 = (prefix: string, original: string, byte: () => number): string => {
  const length = original.length - prefix.length - 1 - checkLength
  const version = bech32Alphabet.indexOf(original.toLowerCase().charAt(prefix.length + 1))
  const words = [version, ...Array.from({ length: Math.max(0, length - 1) }, () => byte() & 31)]
  const text = (version === 0 ? bech32 : bech32m).encode(prefix, words)
  return /[A-Z]/.test(original) ? text.toUpperCase() : text
}
