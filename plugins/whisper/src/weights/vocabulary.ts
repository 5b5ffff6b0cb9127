import { readFileSync } from 'node:fs'
import { byteOfCharacter } from '@sallyport/kit/generation'
import { FormatError } from '@sallyport/weights'

const end = '<|endoftext|>'

/**
 * The bytes of each token before the special ones, from a `vocabulary.txt` (a token a line) or `vocabulary.json` (a
 * list) of CTranslate2.
 * @throws FormatError
 */
export const readVocabulary = (path: string): Buffer[] => {
  const tokens = tokensIn(readFileSync(path, 'utf8'))
  const count = tokens.indexOf(end)
  if (count < 0) throw new FormatError(`the vocabulary has no token ${end}`)
  return tokens.slice(0, count).map(bytesOf)
}

/** Removes the special tokens at the end of a vocabulary. */
export const withoutSpecial = (tokens: readonly Buffer[]): readonly Buffer[] => {
  const count = tokens.findIndex((token) => token.equals(Buffer.from(end)))
  return count < 0 ? tokens : tokens.slice(0, count)
}

const tokensIn = (text: string): string[] => {
  if (!text.startsWith('[')) return text.split('\n')
  try {
    const tokens: unknown = JSON.parse(text)
    if (Array.isArray(tokens) && tokens.every((token) => typeof token === 'string')) return tokens
  } catch {
    // refused as any other value that is not a list of tokens
  }
  throw new FormatError('the vocabulary is not a list of tokens')
}

const bytesOf = (token: string): Buffer =>
  Buffer.from(
    Array.from(token, (character) => {
      const byte = byteOfCharacter.get(character)
      if (byte === undefined)
        throw new FormatError('the vocabulary has a token with a character that does not encode a byte')
      return byte
    }),
  )
