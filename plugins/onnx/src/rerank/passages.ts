import type { Requester } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import type { TextToken } from '../text/text-reader.js'
import type { TextTokenizer } from '../text/tokenizer.js'
import { windowsOf } from '../text/windows.js'

/** Cuts a document into passages whose vectors say more about it than that of the whole. */
export interface Passages {
  of(document: string, asking: Requester): Promise<string[]>
}

/**
 * In tokens, special tokens included. Best of passages of 128 tokens was better than of 64 and of 256, and all of them
 * better than the beginning alone.
 */
const passageLength = 128
const overlap = 14
/** Of a document; what stands behind is left to BM25. */
const maxPassages = 64

/** Documents of a request whose tokens are in memory together. */
export const documentsAtOnce = 32

/** Passages of some 100 words that overlap a little; they begin with a word. */
export class TokenPassages implements Passages {
  private readonly size: number

  constructor(private readonly tokenizer: Pick<TextTokenizer, 'limit' | 'frames' | 'tokens'>) {
    this.size = Math.max(1, Math.min(passageLength, tokenizer.limit) - tokenizer.frames.single.size)
  }

  async of(document: string, asking: Requester): Promise<string[]> {
    const tokens: TextToken[] = []
    for await (const some of this.tokenizer.tokens(document, asking)) {
      append(tokens, some)
      if (tokens.length > this.size * maxPassages) break
    }
    if (tokens.length <= this.size) return [document]
    return windowsOf(tokens, this.size, overlap)
      .slice(0, maxPassages)
      .map(({ from, to }) => document.slice(tokens[from]?.start, tokens[to - 1]?.end))
  }
}
