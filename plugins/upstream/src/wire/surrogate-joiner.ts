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
    const end = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length
    this.#half = text.slice(end)
    return toUSVString(text.slice(0, end))
  }

  /** Returns what was held back. */
  flush(): string {
    const rest = toUSVString(this.#half)
    this.#half = ''
    return rest
  }
}
