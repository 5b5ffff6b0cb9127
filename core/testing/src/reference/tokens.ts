import type { Token, TokensCapability } from '@sallyport/core'
import { yieldToOthers, referenceService } from './backend.js'

/** The first 256 ids are the bytes; these words follow, with and without a space before them. */
const words = (
  'the of and to a in is it you that he was for on are with as I his they be at one have this from or had by word but not what all ' +
  'were we when your can said there use an each which she do how their'
)
  .split(' ')
  .flatMap((word) => [word, ` ${word}`])

const idOfWord = new Map(words.map((word, index) => [word, 256 + index]))

/** Tokens of a text: known words, and UTF-8 bytes for the rest. Lone surrogates become U+FFFD. */
export function* encode(text: string): Generator<Token> {
  let start = 0
  for (const [chunk] of Buffer.from(text)
    .toString()
    .matchAll(/ ?[A-Za-z]+|[^]/gu)) {
    const id = idOfWord.get(chunk)
    if (id === undefined) start = yield* bytesOf(chunk, start)
    else {
      const end = start + chunk.length
      yield { id, text: chunk, start, end }
      start = end
    }
  }
}

/** Yields the bytes of each character, which share its span. @returns the end of the chunk */
function* bytesOf(chunk: string, start: number): Generator<Token, number> {
  for (const text of chunk) {
    for (const id of Buffer.from(text)) yield { id, text, start, end: start + 1 }
    start += 1
  }
  return start
}

/** Whether a token has this id. */
export const isToken = (id: number): boolean => Number.isInteger(id) && id >= 0 && id < 256 + words.length

/** The text of tokens; an unknown id is U+FFFD, as are bytes that are not UTF-8. */
export const decode = (ids: readonly number[]): string =>
  Buffer.concat(
    ids.map((id) => (id >= 0 && id < 256 ? Buffer.of(id) : Buffer.from(words[id - 256] ?? '\uFFFD'))),
  ).toString()

/** Tokens between two pauses that let other work run. */
const tokensPerTurn = 16_384

/** A lossless tokenizer of a few words and all bytes. */
export const ByteTokens = referenceService<TokensCapability>({
  tokenize: async ({ text }, call) => {
    const tokens: Token[] = []
    for (const token of encode(text)) if (tokens.push(token) % tokensPerTurn === 0) await yieldToOthers(call)
    return { tokens }
  },
  detokenize: ({ tokens }) => ({ text: decode(tokens) }),
})
