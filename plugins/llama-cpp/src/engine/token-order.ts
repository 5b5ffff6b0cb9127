import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Vocabulary } from './vocabulary.js'

/** Tokens that are read in one turn of the event loop: some milliseconds. */
const tokensPerTurn = 4096

/**
 * The tokens of a vocabulary, sorted by their bytes. A token that begins with refused bytes is refused as well, so a
 * search can skip all tokens that begin with a refused one. A few hundred tests find all admitted tokens where these
 * are few.
 */
export class TokenOrder {
  private constructor(
    /** Sorted by their bytes, without those that end a generation. */
    private readonly tokens: Uint32Array,
    /** For each place, the place after the last token that begins with the token there. */
    private readonly next: Uint32Array,
    private readonly ends: readonly number[],
  ) {}

  static async of(vocabulary: Pick<Vocabulary, 'size' | 'writtenBytes' | 'endsGeneration'>): Promise<TokenOrder> {
    const ends: number[] = []
    const written = new Map<number, string>()
    for (let token = 0; token < vocabulary.size; token += 1) {
      const bytes = vocabulary.writtenBytes(token)
      if (vocabulary.endsGeneration(token)) ends.push(token)
      else if (bytes.length > 0) written.set(token, String.fromCharCode(...bytes))
      if (token % tokensPerTurn === 0) await nextTurn()
    }
    const textOf = (token: number) => written.get(token) ?? ''
    const tokens = Uint32Array.from(written.keys()).sort((a, b) => compare(textOf(a), textOf(b)))
    return new TokenOrder(tokens, endsOfPrefixGroups([...tokens].map(textOf)), ends)
  }

  /** All admitted tokens; undefined where there are more than `max`. */
  admitted(admits: (token: number) => boolean, max: number): readonly number[] | undefined {
    const found = this.ends.filter(admits)
    for (let place = 0; place < this.tokens.length && found.length <= max;) {
      const token = this.tokens[place] ?? 0
      const isAdmitted = admits(token)
      if (isAdmitted) found.push(token)
      place = isAdmitted ? place + 1 : (this.next[place] ?? Infinity)
    }
    return found.length <= max ? found : undefined
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Finds, for each of the sorted texts, the place after those that begin with it. */
const endsOfPrefixGroups = (texts: readonly string[]): Uint32Array => {
  const groupEnds = new Uint32Array(texts.length).fill(texts.length)
  const open: number[] = []
  texts.forEach((text, place) => {
    for (let last = open.at(-1); last !== undefined && !text.startsWith(texts[last] ?? ''); last = open.at(-1)) {
      groupEnds[last] = place
      open.pop()
    }
    open.push(place)
  })
  return groupEnds
}
