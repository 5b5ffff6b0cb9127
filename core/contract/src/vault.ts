/** What the input checks of one request have replaced, so that it can be put back into the answer. */

/** A text that was replaced. */
export interface ReplacedText {
  /** The type of the finding. */
  readonly type: string
  readonly original: string
  readonly substitute: string
}

const words = /[\p{L}\p{M}\p{N}_]+/gu

/**
 * The replaced texts of one request, in memory only. The calls of a request share it: the same original has the same
 * substitute, and no two originals have one substitute. Its fields are private, so that no log shows them.
 */
export class Vault {
  readonly #texts: ReplacedText[] = []
  readonly #byOriginal = new Map<string, ReplacedText>()
  readonly #bySubstitute = new Map<string, ReplacedText>()
  /** The words of the request, in lower case. */
  readonly #words = new Set<string>()
  readonly #counts = new Map<string, number>()

  /** @param texts those of earlier requests that this one continues */
  constructor(texts: Iterable<ReplacedText> = []) {
    for (const text of texts) this.add(text)
  }

  /** The replaced texts, in the order in which they were added. */
  get texts(): readonly ReplacedText[] {
    return this.#texts
  }

  /** Notes a text of the request: no substitute may be made that could be taken for something in it. */
  note(text: string): void {
    for (const [word] of text.matchAll(words)) this.#words.add(word.toLowerCase())
  }

  find(type: string, original: string): ReplacedText | undefined {
    return this.#byOriginal.get(keyOf(type, original))
  }

  /** What a substitute replaced, in whatever case that is written. */
  bySubstitute(text: string): ReplacedText | undefined {
    return this.#bySubstitute.get(text.toLowerCase())
  }

  /**
   * Whether a substitute can be told from those of other originals, and from what the request says itself.
   * @param original one whose spellings in other cases may share it
   */
  isFree(substitute: string, original?: string): boolean {
    const other = this.#bySubstitute.get(substitute.toLowerCase())
    if (other) return other.original.toLowerCase() === original?.toLowerCase()
    return (substitute.match(words) ?? []).some((word) => !this.#words.has(word.toLowerCase()))
  }

  /** The number of the next substitute of a type, from 1 on. */
  nextNumber(type: string): number {
    const number = (this.#counts.get(type) ?? 0) + 1
    this.#counts.set(type, number)
    return number
  }

  add(text: ReplacedText): void {
    const key = keyOf(text.type, text.original)
    if (this.#byOriginal.has(key)) return
    this.#texts.push(text)
    this.#byOriginal.set(key, text)
    const substitute = text.substitute.toLowerCase()
    if (!this.#bySubstitute.has(substitute)) this.#bySubstitute.set(substitute, text)
  }
}

const keyOf = (type: string, original: string): string => `${type} ${original}`
