import { characterStart } from '@sallyport/kit/text'
import { failure } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'
import { joinTokens } from './vocabulary.js'
import type { Vocabulary } from './vocabulary.js'

/** Characters that are tokenized without a pause, which takes 10 to 40 ms. */
const sliceLength = 32 * 1024
/** The maximum number of tokens that two slices have in excess of the text that was cut. */
const maxExtraTokens = 32
/** The maximum number of bytes of a UTF-16 unit in UTF-8, each of which is at most one token. */
const maxTokensPerUnit = 3

const letter = /\p{L}/u

export interface SliceTokenizerOptions {
  readonly vocabulary: Pick<Vocabulary, 'tokenize' | 'separatesWords'>
  /** Tokens that fit into the context; more are refused. */
  readonly limit: number
  readonly pacer: Pick<Pacer, 'pause'>
}

/**
 * Tokenizes texts of any length. Other work gets its turn between slices, and a text that cannot fit is refused before
 * all of it is tokenized. Every method throws what the pacer throws.
 */
export class SliceTokenizer {
  constructor(private readonly options: SliceTokenizerOptions) {}

  /**
   * Token ids of the whole text, which may still be more than the limit. Slices end between words where the vocabulary
   * keeps words apart, so that the ids are those of the whole text. A text without such a place is tokenized in one go;
   * where it may be too long, the tokens of its slices are counted first.
   * @param before tokens that stand before it in the prompt
   * @throws context_exceeded when all together are surely more
   */
  async tokenize(text: string, before = 0): Promise<Uint32Array> {
    const tokens: Uint32Array[] = []
    let count = before
    let from = 0
    do {
      this.refuseAbove(count)
      const to = this.options.vocabulary.separatesWords ? endOfWord(text, from) : text.length
      const slice = await this.tokenizeWithin(text.slice(from, to), count)
      tokens.push(slice)
      count += slice.length
      from = to
    } while (from < text.length)
    return joinTokens(...tokens)
  }

  /** Tokens of the part that remains when the text is cut at a side: at least as many as the limit, if it has them. */
  async truncate(text: string, side: 'left' | 'right'): Promise<Uint32Array> {
    return this.tokensOf(await this.longEnough(text, side))
  }

  private async tokenizeWithin(text: string, before: number): Promise<Uint32Array> {
    const fits = text.length <= sliceLength || text.length * maxTokensPerUnit <= this.options.limit - before
    let count = before
    for (let at = 0; !fits && at < text.length; at += sliceLength) {
      count += await this.countSlice(text, at)
      this.refuseAbove(count)
    }
    return this.tokensOf(text)
  }

  /** The shortest beginning or end of a text that surely has `limit` tokens. */
  private async longEnough(text: string, side: 'left' | 'right'): Promise<string> {
    const { length } = text
    let count = 0
    for (let taken = sliceLength; taken < length; taken += sliceLength) {
      count += await this.countSlice(text, side === 'right' ? taken - sliceLength : length - taken)
      if (count <= this.options.limit) continue
      return side === 'right'
        ? text.slice(0, characterStart(text, taken))
        : text.slice(characterStart(text, length - taken))
    }
    return text
  }

  /** A lower bound of the tokens that a slice contributes to the whole text. */
  private async countSlice(text: string, from: number): Promise<number> {
    const slice = text.slice(characterStart(text, from), characterStart(text, from + sliceLength))
    return Math.max(0, (await this.tokensOf(slice)).length - maxExtraTokens)
  }

  private async tokensOf(text: string): Promise<Uint32Array> {
    await this.options.pacer.pause()
    return this.options.vocabulary.tokenize(text)
  }

  private refuseAbove(tokens: number): void {
    const { limit } = this.options
    if (tokens > limit) throw failure('context_exceeded', { tokens, limit, atLeast: true })
  }
}

/** The last index in a slice where one word ends and another begins; the end of a text that is short or has none. */
const endOfWord = (text: string, from: number): number => {
  if (text.length - from <= sliceLength) return text.length
  for (let at = from + sliceLength; at > from + 1; at -= 1)
    if (text[at] === ' ' && letter.test(text[at - 1] ?? '') && letter.test(text[at + 1] ?? '')) return at
  return text.length
}
