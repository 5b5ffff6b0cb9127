import { toUSVString } from 'node:util'

/**
 * A text that comes in parts. Halves of surrogate pairs become U+FFFD, as they would in UTF-8, unless the other half
 * comes with the next part.
 */
export class TextParts {
  #half = ''

  /** The next part, without what is held back for the one after it. */
  next(part: string): string {
    if (!part) return ''
    const text = this.#half + part
    const end = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length
    this.#half = text.slice(end)
    return toUSVString(text.slice(0, end))
  }

  /** What was held back until now. */
  rest(): string {
    const rest = toUSVString(this.#half)
    this.#half = ''
    return rest
  }
}
