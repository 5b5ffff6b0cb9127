import { inject, injectable } from 'tsyringe'
import type { Call } from '../capabilities/call.js'
import type { Token, TokensCapability } from '../capabilities/tokens.js'
import { options } from '../kernel/tokens.js'
import { pause } from './options.js'
import type { ReferenceOptions } from './options.js'

/** The first 256 ids are the bytes; these words follow, with and without a space before them. */
const words = [
  ...[
    'the',
    'of',
    'and',
    'to',
    'a',
    'in',
    'is',
    'it',
    'you',
    'that',
    'he',
    'was',
    'for',
    'on',
    'are',
    'with',
    'as',
    'I',
  ],
  ...['his', 'they', 'be', 'at', 'one', 'have', 'this', 'from', 'or', 'had', 'by', 'word', 'but', 'not', 'what', 'all'],
  ...['were', 'we', 'when', 'your', 'can', 'said', 'there', 'use', 'an', 'each', 'which', 'she', 'do', 'how', 'their'],
].flatMap((word) => [word, ` ${word}`])

const idOfWord = new Map(words.map((word, index) => [word, 256 + index]))

/** Tokens of a text: known words, and UTF-8 bytes for the rest. Lone surrogates become U+FFFD. */
export const encode = (text: string): Token[] => {
  const tokens: Token[] = []
  let start = 0
  for (const [piece] of Buffer.from(text)
    .toString()
    .matchAll(/ ?[A-Za-z]+|[^]/gu)) {
    const id = idOfWord.get(piece)
    const end = start + Array.from(piece).length
    if (id !== undefined) tokens.push({ id, text: piece, start, end })
    else tokens.push(...bytesOf(piece, start))
    start = end
  }
  return tokens
}

/** The bytes of a character share its span. */
const bytesOf = (piece: string, start: number): Token[] =>
  Array.from(piece).flatMap((character, index) =>
    [...Buffer.from(character)].map((id) => ({ id, text: character, start: start + index, end: start + index + 1 })),
  )

/** The text of tokens; an unknown id is U+FFFD, as are bytes that are no UTF-8. */
export const decode = (ids: readonly number[]): string =>
  Buffer.concat(
    ids.map((id) => (id >= 0 && id < 256 ? Buffer.of(id) : Buffer.from(words[id - 256] ?? '\uFFFD'))),
  ).toString()

/** A lossless tokenizer of a few words and all bytes. */
@injectable()
export class ByteTokens implements TokensCapability {
  constructor(@inject(options) private readonly options: ReferenceOptions) {}

  async tokenize({ text }: { text: string }, call: Call): Promise<{ tokens: Token[] }> {
    await pause(this.options, call)
    return { tokens: encode(text) }
  }

  async detokenize({ tokens }: { tokens: number[] }, call: Call): Promise<{ text: string }> {
    await pause(this.options, call)
    return { text: decode(tokens) }
  }
}
