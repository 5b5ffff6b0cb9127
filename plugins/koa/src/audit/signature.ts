/** Signs lines that are heads, with Ed25519: who has the public key can verify a log, but not write one. */

import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { KeyStore } from '../auth/key-store.js'

/** What stands before the bytes of a key in PKCS #8 and in SPKI (RFC 8410, section 10). */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** What is signed begins with this, so that no signature for something else fits. */
const context = Buffer.from('sallyport audit head\n')

const textPrefix = 'ed25519:'

const signatureMember = ',"signature":"'
/** Bytes of a signature in hexadecimal, and of its member with the end of the line. */
const signatureLength = 128
const suffixLength = signatureMember.length + signatureLength + '"}'.length

export class HeadSigner {
  /** `ed25519:` and 64 hexadecimal digits. */
  readonly publicKey: string
  private readonly key: KeyObject

  /** @param secret 32 bytes, the key's seed */
  constructor(secret: Uint8Array) {
    this.key = createPrivateKey({ key: Buffer.concat([privatePrefix, secret]), format: 'der', type: 'pkcs8' })
    const exported = createPublicKey(this.key).export({ format: 'der', type: 'spki' })
    this.publicKey = textPrefix + exported.subarray(publicPrefix.length).toString('hex')
  }

  /** Adds the signature of all that stands in a line as its last member. */
  sign(line: string): string {
    const signed = line.slice(0, -1)
    const signature = sign(null, Buffer.concat([context, Buffer.from(signed)]), this.key).toString('hex')
    return `${signed}${signatureMember}${signature}"}`
  }
}

/** The signer of a server, whose key is derived from its secret. */
export const signerOf = (store: KeyStore): HeadSigner => new HeadSigner(store.secretFor('audit log'))

/** The key of a text as `audit key` prints it; undefined for another one. */
export const parsePublicKey = (text: string): KeyObject | undefined => {
  const digits = /^ed25519:([\da-f]{64})$/.exec(text)?.[1]
  if (digits === undefined) return undefined
  return createPublicKey({
    key: Buffer.concat([publicPrefix, Buffer.from(digits, 'hex')]),
    format: 'der',
    type: 'spki',
  })
}

/** Whether the line, byte by byte, is what the owner of the key signed. */
export const isSignedBy = (key: KeyObject, line: Buffer): boolean => {
  const end = line.length - suffixLength
  // A signature has one spelling: with another one the bytes of a head could change, and it would still fit.
  const [, digits] = /^,"signature":"([\da-f]{128})"\}$/.exec(line.toString('latin1', Math.max(0, end))) ?? []
  if (digits === undefined || end < 0) return false
  return verify(null, Buffer.concat([context, line.subarray(0, end)]), key, Buffer.from(digits, 'hex'))
}
