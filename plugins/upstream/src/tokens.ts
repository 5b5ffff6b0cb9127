import { toUSVString } from 'node:util'
import { tokenSpans } from '@sallyport/kit/generation'
import type { VocabularyToken } from '@sallyport/kit/generation'
import type { Call, Token, TokensCapability } from '@sallyport/core'
import type { UpstreamClient } from './client/client.js'
import { BadReply, countOf, fieldsOf, listOf, textOf } from './wire/read.js'

/** Uses `/tokenize` and `/detokenize` of llama-server, which are not below `/v1`. */
export class UpstreamTokens implements TokensCapability {
  constructor(
    private readonly client: UpstreamClient,
    private readonly model: string,
  ) {}

  async tokenize({ text }: { text: string }, call: Call): Promise<{ tokens: Token[] }> {
    // text that looks like a special token stays text
    const flags = { with_pieces: true, add_special: false, parse_special: false }
    const body = { model: this.model, content: text, ...flags }
    return this.client.ask({ path: '/tokenize', outsideV1: true, body }, call, (answer) => {
      const pieces = listOf(fieldsOf(answer, 'the answer').tokens, 'tokens').map(pieceOf)
      return { tokens: tokenSpans(pieces, text) }
    })
  }

  async detokenize({ tokens }: { tokens: number[] }, call: Call): Promise<{ text: string }> {
    const body = { model: this.model, tokens }
    return this.client.ask({ path: '/detokenize', outsideV1: true, body }, call, (answer) => {
      const { content } = fieldsOf(answer, 'the answer')
      if (typeof content !== 'string') throw new BadReply('it sent no text for the tokens')
      return { text: toUSVString(content) }
    })
  }
}

/** A piece is a string, or a list of bytes where it is not a whole character. @throws BadReply */
const pieceOf = (value: unknown): VocabularyToken => {
  const { id, piece } = fieldsOf(value, 'a token')
  const token = countOf(id)
  if (token === undefined) throw new BadReply('a token has no id')
  const bytes = Array.isArray(piece) ? Buffer.from(piece as number[]) : Buffer.from(textOf(piece, 'a piece'))
  return { id: token, bytes }
}
