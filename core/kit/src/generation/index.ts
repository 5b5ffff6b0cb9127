/** What backends of generation share: stop sequences, token spans, usage, collected streams. */

export { byteOfCharacter } from './byte-alphabet.js'
export { collect, lastText, usageOfRequests, textOf, usageOfChoices } from './collect.js'
export { knownTokens } from './known-tokens.js'
export { StopGate } from './stop-gate.js'
export { tokenSpans } from './token-spans.js'
export type { VocabularyToken } from './token-spans.js'
