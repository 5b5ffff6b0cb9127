import { Pacer } from '@sallyport/kit/async'
import type { Call, Token, TokensCapability } from '@sallyport/core'
import type { JsonTokenizer } from './text/json-tokenizer.js'

/** Texts become tokens of the model's vocabulary, and back; no special tokens are added. Their texts are text here. */
export class OnnxTokens implements TokensCapability {
  constructor(private readonly tokenizer: JsonTokenizer) {}

  async tokenize({ text }: { text: string }, call: Call): Promise<{ tokens: Token[] }> {
    const pacer = new Pacer(call)
    await pacer.pause()
    const parts: Token[][] = []
    for (const part of this.tokenizer.tokenizeParts(text)) {
      parts.push(part)
      await pacer.pause()
    }
    return { tokens: parts.flat() }
  }

  async detokenize({ tokens }: { tokens: number[] }, call: Call): Promise<{ text: string }> {
    await new Pacer(call).pause()
    return { text: this.tokenizer.detokenize(tokens) }
  }
}
