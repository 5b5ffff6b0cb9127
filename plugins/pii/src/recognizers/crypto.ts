import type { Pattern, Recognizer } from './recognizer.js'
import { isBase58Check, isBech32 } from './wallets.js'
import data from './crypto.json' with { type: 'json' }

const validate = (match: string): boolean => {
  if (/^0x/i.test(match)) return true
  if (/^(?:bc|tb|ltc)1/i.test(match)) return isBech32(match.toLowerCase())
  return isBase58Check(match)
}

/** `signature` matches a part of every address, whatever is beside that. No address has digits alone. */
export const walletPatterns: readonly (Pattern & { readonly signature: RegExp })[] = [
  {
    regex: /(?<![\p{L}\p{N}])[13LMDXT][1-9A-HJ-NP-Za-km-z]{25,34}(?![\p{L}\p{N}])/u,
    score: 0.95,
    signature: /[13LMDXT](?=\d{0,33}[A-Za-z])[\dA-Za-z]{25}/,
  },
  {
    regex: /(?<![\p{L}\p{N}])(?:bc|tb|ltc)1[ac-hj-np-z02-9]{11,71}(?![\p{L}\p{N}])/iu,
    score: 0.95,
    signature: /(?:bc|tb|ltc)1[a-z\d]{11}/i,
  },
  { regex: /(?<![\p{L}\p{N}])0x[a-f\d]{40}(?![\p{L}\p{N}])/iu, score: 0.8, signature: /0x[a-f\d]{40}/i },
]

/** Wallet addresses: Bitcoin, Litecoin, Dogecoin, Dash, Tron by their checksums; Ethereum by its form. */
export const crypto: Recognizer = {
  entity: 'CRYPTO',
  patterns: walletPatterns,
  validate,
  ...data,
}
