/** What the input checks of one request have replaced, so that it can be put back into the answer. */

/** A text that was replaced. */
export interface ReplacedText {
  /** The type of the finding. */
  readonly type: string
  readonly original: string
  readonly substitute: string
}

/** Where a known text stands in another one. Half-open, in UTF-16 code units. */
interface KnownSpan {
  readonly start: number
  readonly end: number
}

/** An original in a text. */
export interface KnownOriginal extends KnownSpan, Pick<ReplacedText, 'type' | 'original'> {}

const words = /[\p{L}\p{M}\p{N}_]+/gu
const wordGoesOn = /^[\p{L}\p{M}\p{N}_]{2}/u

/** In lower case, of the same length: only the dotted capital I would grow. */
const folded = (text: string): string => text.replaceAll('İ', 'I').toLowerCase()

/** Words that are read between two steps. */
const wordsInStep = 256

/** Known texts, found in any case and as whole words: however many there are, the words of a text are read once. */
class KnownTexts {
  readonly #texts = new Set<string>()
  /** Where texts with a first word begin before it, and their lengths. */
  readonly #shapes = new Map<string, { readonly before: number; readonly length: number }[]>()

  add(text: string): void {
    const known = folded(text)
    const [first] = known.matchAll(words)
    if (!first || this.#texts.has(known)) return
    this.#texts.add(known)
    const shape = { before: first.index, length: known.length }
    const shapes = this.#shapes.get(first[0])
    if (!shapes) this.#shapes.set(first[0], [shape])
    else if (!shapes.some(({ before, length }) => before === shape.before && length === shape.length))
      shapes.push(shape)
  }

  /** The longest known text whose first word is this word of the text, in lower case. */
  at(text: string, { 0: word, index }: RegExpExecArray): (KnownSpan & { readonly known: string }) | undefined {
    let longest: (KnownSpan & { readonly known: string }) | undefined
    for (const { before, length } of this.#shapes.get(folded(word)) ?? []) {
      const [start, end] = [index - before, index - before + length]
      if (start < 0 || (longest && longest.end - longest.start >= length)) continue
      const known = folded(text.slice(start, end))
      if (this.#texts.has(known) && !wordGoesOn.test(text.slice(end - 1, end + 1))) longest = { start, end, known }
    }
    return longest
  }
}

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
  /** Originals and substitutes. */
  readonly #known = new KnownTexts()
  /** Originals, by themselves in lower case. */
  readonly #originals = new Map<string, Pick<ReplacedText, 'type' | 'original'>>()
  /** Substitutes, in lower case, that models have said, so that others may repeat them. */
  readonly #said = new Set<string>()

  /** @param texts those of earlier requests that this one continues */
  constructor(texts: Iterable<ReplacedText> = []) {
    for (const text of texts) this.add(text)
  }

  /** The replaced texts, in the order in which they were added, with those that are no longer put back. */
  get texts(): readonly ReplacedText[] {
    return this.#texts
  }

  /** Those whose substitutes are put back. */
  get restorable(): readonly ReplacedText[] {
    return this.#texts.filter((text) => this.find(text.type, text.original) === text)
  }

  /**
   * Notes a text of the request, in steps: no substitute may be made that could be taken for something in it.
   * @param isForeign whether users or tools wrote it: a substitute in it that no model has said is meant as it stands, and is
   *   put back no longer
   */
  *note(text: string, isForeign = false): Generator<undefined, void> {
    let count = 0
    for (const match of text.matchAll(words)) {
      this.#words.add(folded(match[0]))
      const known = this.#known.at(text, match)?.known
      if (known !== undefined && this.#bySubstitute.has(known)) {
        if (!isForeign) this.#said.add(known)
        else if (!this.#said.has(known)) this.#retire(known)
      }
      count += 1
      if (count % wordsInStep === 0) yield
    }
  }

  /** Notes that a text is replaced wherever it stands. */
  expect(text: Pick<ReplacedText, 'type' | 'original'>): void {
    const original = folded(text.original)
    if (this.#originals.has(original)) return
    this.#originals.set(original, { type: text.type, original: text.original })
    this.#known.add(original)
  }

  /** Finds the originals in a text, in steps: in any case, as whole words, and outside substitutes. */
  *originalsIn(text: string): Generator<undefined, KnownOriginal[]> {
    const found: KnownOriginal[] = []
    let [count, from] = [0, 0]
    for (const match of text.matchAll(words)) {
      count += 1
      if (count % wordsInStep === 0) yield
      const known = match.index < from ? undefined : this.#known.at(text, match)
      if (!known) continue
      from = known.end
      const original = this.#bySubstitute.has(known.known) ? undefined : this.#originals.get(known.known)
      if (original) found.push({ ...original, start: known.start, end: known.end })
    }
    return found
  }

  find(type: string, original: string): ReplacedText | undefined {
    return this.#byOriginal.get(keyOf(type, original))
  }

  /** What a substitute replaced, in whatever case that is written. */
  bySubstitute(text: string): ReplacedText | undefined {
    return this.#bySubstitute.get(folded(text))
  }

  /**
   * Whether a substitute can be told from those of other originals, and from what the request says itself.
   * @param original one whose spellings in other cases may share it
   */
  isFree(substitute: string, original?: string): boolean {
    const other = this.#bySubstitute.get(folded(substitute))
    if (other) return original !== undefined && folded(other.original) === folded(original)
    return (substitute.match(words) ?? []).some((word) => !this.#words.has(folded(word)))
  }

  /** The number of the next substitute of a type, from 1 on. */
  nextNumber(type: string): number {
    const number = (this.#counts.get(type) ?? 0) + 1
    this.#counts.set(type, number)
    return number
  }

  /** Adds a replaced text, in place of one that has another substitute, or is taken from the substitute of another. */
  add(text: ReplacedText): void {
    const known = this.find(text.type, text.original)
    if (known?.substitute === text.substitute) return
    if (known) this.#retire(known.substitute)
    this.#retire(text.original)
    this.#texts.push(text)
    this.#byOriginal.set(keyOf(text.type, text.original), text)
    const substitute = folded(text.substitute)
    if (!this.#bySubstitute.has(substitute)) this.#bySubstitute.set(substitute, text)
    this.#known.add(substitute)
    this.expect(text)
  }

  /** Puts back no longer what a substitute stood for. */
  #retire(text: string): void {
    const substitute = folded(text)
    if (!this.#bySubstitute.delete(substitute)) return
    for (const [key, one] of this.#byOriginal) if (folded(one.substitute) === substitute) this.#byOriginal.delete(key)
  }
}

const keyOf = (type: string, original: string): string => `${type} ${original}`
