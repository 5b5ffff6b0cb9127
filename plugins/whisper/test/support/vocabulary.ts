import { Tokenizer } from '../../src/decode/tokenizer.js'

/** Each byte, what is merged of them in this order, then one language, tasks and times. */
export const tinyVocabulary = (merged: readonly string[] = []): Tokenizer => {
  const tokens = [
    ...Array.from({ length: 256 }, (_, byte) => Buffer.of(byte)),
    ...merged.map((token) => Buffer.from(token)),
  ]
  return new Tokenizer(tokens, tokens.length + 2 + 1 + 6 + 1501)
}
