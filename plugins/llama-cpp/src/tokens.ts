import { setImmediate as nextTurn } from 'node:timers/promises'
import { tokenSpans } from '@sallyport/core'
import type { Call, Token, TokensCapability } from '@sallyport/core'
import { SliceTokenizer } from './engine/slice-tokenizer.js'
import type { Vocabulary } from './engine/vocabulary.js'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Texts become tokens of the model's vocabulary, and back. Texts of control tokens are text here. */
export class LlamaCppTokens implements TokensCapability {
  constructor(private readonly vocabulary: Vocabulary) {}

  async tokenize({ text }: { text: string }, { signal }: Call): Promise<{ tokens: Token[] }> {
    await untilWanted(signal)
    const tokenizer = new SliceTokenizer({ vocabulary: this.vocabulary, limit: Infinity, signal })
    const ids = Array.from(await tokenizer.tokenize(text))
    await untilWanted(signal)
    const pieces = this.vocabulary.textBytes(ids)
    const tokens = pieces.map((bytes, index) => ({ id: ids[index] ?? 0, bytes }))
    return { tokens: tokenSpans(tokens, text) }
  }

  async detokenize({ tokens }: { tokens: number[] }, { signal }: Call): Promise<{ text: string }> {
    await untilWanted(signal)
    return { text: decoder.decode(Buffer.concat(this.vocabulary.textBytes(tokens))) }
  }
}

/** One turn of the event loop: a cancellation that is on its way arrives before the work, which has no pause. */
const untilWanted = async (signal: AbortSignal): Promise<void> => {
  await nextTurn()
  signal.throwIfAborted()
}
