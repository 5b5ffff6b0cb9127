/** What backends of generation share: stop texts, token spans, what a stream adds up to. */

export { byteOfCharacter } from './byte-alphabet.js'
export { collect, lastText, sumUsage, textOf, totalUsage } from './collected.js'
export { knownTokens } from './known-tokens.js'
export { StopGate } from './stop-gate.js'
export { tokenSpans } from './token-spans.js'
export type { TokenPiece } from './token-spans.js'
