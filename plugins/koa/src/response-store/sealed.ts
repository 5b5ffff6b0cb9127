import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts a text by AES-256-GCM: nonce, tag and ciphertext.
 * @param key 32 bytes
 * @param place where the result is stored; it cannot be opened elsewhere
 */
export const seal = (key: Uint8Array, text: string, place: string): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(place))
  const encrypted = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
  return Buffer.concat([nonce, encryption.getAuthTag(), encrypted])
}

/** @throws Error where it was sealed with another key or for another place, or is damaged */
export const unseal = (key: Uint8Array, sealed: Uint8Array, place: string): string => {
  const bytes = Buffer.from(sealed)
  const decryption = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decryption.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return decryption.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decryption.final('utf8')
}
