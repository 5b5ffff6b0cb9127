import type { Requester } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import type { TextToken } from '../text/windowed-tokenizer.js'
import type { TextTokenizer } from '../text/tokenizer.js'
import { windowsOf } from '../text/windows.js'

/**
 * The length of a passage in tokens, special ones included. Ranking by the best passage was better with passages of 128
 * tokens than with 64 or 256, and with any of these better than ranking by the beginning of the document.
 */
const passageLength = 128
const overlap = 14
/** The maximum number of passages of a document that are embedded; BM25 alone reads the rest. */
const maxPassages = 64

/** The maximum number of documents of a request whose tokens are in memory at a time. */
export const documentsAtOnce = 32

/**
 * Splits a document into passages, whose vectors represent it better than that of the whole: of some 100 words, with a
 * little overlap, each of which begins with a word.
 */
export class PassageSplitter {
  private readonly size: number

  constructor(private readonly tokenizer: Pick<TextTokenizer, 'contextLength' | 'templates' | 'tokens'>) {
    const { contextLength, templates } = tokenizer
    this.size = Math.max(1, Math.min(passageLength, contextLength) - templates.single.specialTokenCount)
  }

  async split(document: string, requester: Requester): Promise<string[]> {
    const tokens: TextToken[] = []
    for await (const some of this.tokenizer.tokens(document, requester)) {
      append(tokens, some)
      if (tokens.length > this.size * maxPassages) break
    }
    if (tokens.length <= this.size) return [document]
    return windowsOf(tokens, this.size, overlap)
      .slice(0, maxPassages)
      .map(({ from, to }) => document.slice(tokens[from]?.start, tokens[to - 1]?.end))
  }
}
