/** Encodings of wallets: reading them to check, and writing others like them. */

import { createHash } from 'node:crypto'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const payload = 21

const checkOf = (data: Uint8Array): Buffer => {
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
  return sha256(sha256(data)).subarray(0, 4)
}

/** The bytes of a number in base 58; undefined for other characters. */
const fromBase58 = (text: string): Buffer | undefined => {
  let value = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) return undefined
    value = value * 58n + BigInt(digit)
  }
  const hexadecimal = value.toString(16)
  const zeros = '00'.repeat(/^1*/.exec(text)?.[0].length ?? 0)
  return Buffer.from(zeros + hexadecimal.padStart(hexadecimal.length + (hexadecimal.length % 2), '0'), 'hex')
}

const toBase58 = (bytes: Buffer): string => {
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = (alphabet[Number(value % 58n)] ?? '') + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return alphabet.charAt(0).repeat(Math.max(0, zeros)) + text
}

export const isBase58Check = (text: string): boolean => {
  const bytes = fromBase58(text)
  return bytes?.length === payload + 4 && checkOf(bytes.subarray(0, payload)).equals(bytes.subarray(payload))
}

/** Another wallet of the same kind. */
export const base58Check = (original: string, byte: () => number): string | undefined => {
  const version = fromBase58(original)?.[0]
  if (version === undefined) return undefined
  const data = Buffer.from([version, ...Array.from({ length: payload - 1 }, byte)])
  return toBase58(Buffer.concat([data, checkOf(data)]))
}

const bech32Alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const bech32Checks = [1, 0x2bc830a3]
const checkLength = 6

const remainder = (prefix: string, data: readonly number[]): number => {
  const codes = Array.from(prefix, (character) => character.charCodeAt(0))
  let sum = 1
  for (const value of [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...data]) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [bit, generator] of generators.entries()) if ((top >> bit) & 1) sum ^= generator
  }
  return sum >>> 0
}

const dataOf = (text: string): number[] => Array.from(text, (character) => bech32Alphabet.indexOf(character))

export const isBech32 = (text: string): boolean => {
  const at = text.lastIndexOf('1')
  const data = dataOf(text.slice(at + 1))
  return !data.includes(-1) && bech32Checks.includes(remainder(text.slice(0, at), data))
}

/** Another wallet with the same prefix, version and length. */
export const bech32 = (prefix: string, original: string, byte: () => number): string => {
  const length = original.length - prefix.length - 1 - checkLength
  const version = dataOf(original.toLowerCase().charAt(prefix.length + 1))
  const data = [...version, ...Array.from({ length: Math.max(0, length - 1) }, () => byte() & 31)]
  const check =
    remainder(prefix, [...data, ...Array<number>(checkLength).fill(0)]) ^ (version[0] === 0 ? 1 : 0x2bc830a3)
  const digits = Array.from({ length: checkLength }, (_, index) => (check >>> (5 * (checkLength - 1 - index))) & 31)
  const text = `${prefix}1${[...data, ...digits].map((value) => bech32Alphabet.charAt(value)).join('')}`
  return /[A-Z]/.test(original) ? text.toUpperCase() : text
}
