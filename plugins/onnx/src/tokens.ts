import type { Call, Token, TokensCapability } from '@sallyport/core'
import type { JsonTokenizer } from './text/json-tokenizer.js'
import { untilWanted } from './turn.js'

/** Texts become tokens of the model's vocabulary, and back; no special tokens are added. Their texts are text here. */
export class OnnxTokens implements TokensCapability {
  constructor(private readonly tokenizer: JsonTokenizer) {}

  async tokenize({ text }: { text: string }, { signal }: Call): Promise<{ tokens: Token[] }> {
    await untilWanted(signal)
    const parts: Token[][] = []
    for (const part of this.tokenizer.tokenizeParts(text)) {
      parts.push(part)
      await untilWanted(signal)
    }
    return { tokens: parts.flat() }
  }

  async detokenize({ tokens }: { tokens: number[] }, { signal }: Call): Promise<{ text: string }> {
    await untilWanted(signal)
    return { text: this.tokenizer.detokenize(tokens) }
  }
}
