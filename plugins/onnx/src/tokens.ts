import type { Call, Token, TokensCapability } from '@sallyport/core'
import { append } from '@sallyport/kit/lists'
import type { TextTokenizer } from './text/tokenizer.js'

/** Texts become tokens of the model's vocabulary, and back; no special tokens are added. Their texts are text here. */
export class OnnxTokens implements TokensCapability {
  constructor(private readonly tokenizer: TextTokenizer) {}

  async tokenize({ text }: { text: string }, call: Call): Promise<{ tokens: Token[] }> {
    call.signal.throwIfAborted()
    const tokens: Token[] = []
    for await (const some of this.tokenizer.tokens(text, call))
      append(
        tokens,
        some.map(({ id, start, end, points: [from, to] }) => ({
          id,
          text: written(text, start, end),
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

/** Lone surrogates, which UTF-8 does not have, are read as U+FFFD. */
const written = (text: string, start: number, end: number) =>
  text.slice(start, end).replace(/\p{Surrogate}/gu, '\ufffd')
