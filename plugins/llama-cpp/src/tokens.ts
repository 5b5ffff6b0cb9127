import { Pacer } from '@sallyport/kit/async'
import { tokenSpans } from '@sallyport/kit/generation'
import type { Call, Token, TokensCapability } from '@sallyport/core'
import { SliceTokenizer } from './engine/slice-tokenizer.js'
import type { Vocabulary } from './engine/vocabulary.js'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Converts texts to tokens and back. A text that looks like a control token stays text. */
export class LlamaCppTokens implements TokensCapability {
  constructor(private readonly vocabulary: Vocabulary) {}

  async tokenize({ text }: { text: string }, call: Call): Promise<{ tokens: Token[] }> {
    const pacer = new Pacer(call)
    const tokenizer = new SliceTokenizer({ vocabulary: this.vocabulary, limit: Infinity, pacer })
    const ids = Array.from(await tokenizer.tokenize(text))
    await pacer.pause()
    const bytesByToken = this.vocabulary.textBytes(ids)
    const tokens = bytesByToken.map((bytes, index) => ({ id: ids[index] ?? 0, bytes }))
    return { tokens: tokenSpans(tokens, text) }
  }

  async detokenize({ tokens }: { tokens: number[] }, call: Call): Promise<{ text: string }> {
    await new Pacer(call).pause()
    return { text: decoder.decode(Buffer.concat(this.vocabulary.textBytes(tokens))) }
  }
}
