import type { Call, Token, TokensCapability } from '@sallyport/core'
import { append } from '@sallyport/kit/lists'
import type { TextTokenizer } from './text/tokenizer.js'

/** Tokenizes and detokenizes. It adds no special tokens, and treats their spelling in a text as ordinary text. */
export class OnnxTokens implements TokensCapability {
  constructor(private readonly tokenizer: TextTokenizer) {}

  async tokenize({ text }: { text: string }, call: Call): Promise<{ tokens: Token[] }> {
    call.signal.throwIfAborted()
    const tokens: Token[] = []
    for await (const window of this.tokenizer.tokens(text, call))
      append(
        tokens,
        window.map(({ id, start, end, codePointSpan: [from, to] }) => ({
          id,
          text: tokenText(text, start, end),
          start: from,
          end: to,
        })),
      )
    return { tokens }
  }

  async detokenize({ tokens }: { tokens: number[] }, { signal }: Call): Promise<{ text: string }> {
    await Promise.resolve()
    signal.throwIfAborted()
    return { text: this.tokenizer.detokenize(tokens) }
  }
}

/** Replaces lone surrogates, which UTF-8 cannot encode, by U+FFFD. */
const tokenText = (text: string, start: number, end: number) =>
  text.slice(start, end).replace(/\p{Surrogate}/gu, '\ufffd')
