/** Where a text ends: at the first of the stop texts, none of which is ever shown. */
export class StopTexts {
  private readonly texts: readonly string[]

  constructor(texts: readonly string[]) {
    this.texts = texts.filter((text) => text !== '')
  }

  /** The stop text that comes first in `text`; the longest of those that begin at the same place. */
  find(text: string): { readonly index: number; readonly stop: string } | undefined {
    let first: { index: number; stop: string } | undefined
    for (const stop of this.texts) {
      const index = text.indexOf(stop)
      if (index < 0) continue
      const earlier = !first || index < first.index || (index === first.index && stop.length > first.stop.length)
      if (earlier) first = { index, stop }
    }
    return first
  }

  /** How much of the end of `text` may be the beginning of a stop text. */
  pending(text: string): number {
    return Math.max(0, ...this.texts.map((stop) => overlap(text, stop)))
  }
}

/** Length of the longest proper beginning of `stop` that ends `text`. */
const overlap = (text: string, stop: string): number => {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length -= 1) {
    if (text.endsWith(stop.slice(0, length))) return length
  }
  return 0
}
