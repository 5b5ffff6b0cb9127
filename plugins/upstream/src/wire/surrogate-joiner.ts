import { withoutHalfPair } from '@sallyport/kit/text'
import { toUSVString } from 'node:util'

/**
 * Joins surrogate pairs that are split over two parts of a text. A half without the other one becomes U+FFFD, as it
 * would in UTF-8.
 */
export class SurrogateJoiner {
  #half = ''

  /** Returns the part, without a half of a pair at its end, which is held back for the next part. */
  next(part: string): string {
    if (!part) return ''
    const text = this.#half + part
    const whole = withoutHalfPair(text)
    this.#half = text.slice(whole.length)
    return toUSVString(whole)
  }

  /** Returns what was held back. */
  flush(): string {
    const rest = toUSVString(this.#half)
    this.#half = ''
    return rest
  }
}
