import type { Steps } from '@sallyport/kit/async'
import type { JsonTokenizer } from '../text/json-tokenizer.js'
import type { TextPart } from '../text/text-reader.js'
import { windowsOf } from '../text/windows.js'

/** Cuts a document into passages whose vectors say more about it than that of the whole. */
export interface Passages {
  of(document: string): Steps<string[]>
}

/**
 * In tokens, special tokens included. Best of passages of 128 tokens was better than of 64 and of 256, and all of them
 * better than the beginning alone.
 */
const passageLength = 128
const overlap = 14
/** Of a document; what stands behind is left to BM25. */
const mostPassages = 64

/** Passages of some 100 words that overlap a little; they begin with a word. */
export class TokenPassages implements Passages {
  private readonly size: number

  constructor(private readonly tokenizer: Pick<JsonTokenizer, 'limit' | 'frames' | 'parts'>) {
    this.size = Math.max(1, Math.min(passageLength, tokenizer.limit) - tokenizer.frames.single.size)
  }

  *of(document: string): Steps<string[]> {
    const parts: TextPart[] = []
    for (const some of this.tokenizer.parts(document)) {
      for (const part of some) parts.push(part)
      if (parts.length > this.size * mostPassages) break
      yield
    }
    if (parts.length <= this.size) return [document]
    const starts = [...parts.keys()].filter((index) => parts[index]?.beginsWord)
    return windowsOf(parts.length, starts, this.size, overlap)
      .slice(0, mostPassages)
      .map(({ from, to }) => document.slice(parts[from]?.start, parts[to - 1]?.end))
  }
}
