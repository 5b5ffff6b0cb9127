/** As GPT-2 cuts texts before merging; what is too long for a word is cut besides. */
const pieces = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}{1,64}| ?\p{N}{1,64}| ?[^\s\p{L}\p{N}]{1,64}|\s{1,64}(?!\S)|\s{1,64}/gu

/** Byte pair encoding over tokens whose numbers are the order of merging, as those of Whisper are. */
export class BytePairs {
  private readonly numbers: ReadonlyMap<string, number>

  constructor(tokens: readonly Buffer[]) {
    this.numbers = new Map(tokens.map((token, number) => [token.toString('latin1'), number]))
  }

  /** What there is no token for is left out. */
  encode(text: string): number[] {
    return [...text.matchAll(pieces)].flatMap(([piece]) => this.merged(Buffer.from(piece).toString('latin1')))
  }

  private merged(piece: string): number[] {
    const parts = Array.from(piece)
    for (let at = this.firstMerge(parts); at >= 0; at = this.firstMerge(parts))
      parts.splice(at, 2, `${parts[at] ?? ''}${parts[at + 1] ?? ''}`)
    return parts.map((part) => this.numbers.get(part)).filter((number) => number !== undefined)
  }

  /** Where the two parts begin that are merged next; -1 where there are none. */
  private firstMerge(parts: readonly string[]): number {
    let [best, lowest] = [-1, Infinity]
    for (let at = 0; at + 1 < parts.length; at += 1) {
      const number = this.numbers.get(`${parts[at] ?? ''}${parts[at + 1] ?? ''}`) ?? Infinity
      if (number < lowest) [best, lowest] = [at, number]
    }
    return best
  }
}
