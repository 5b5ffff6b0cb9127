const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** What JSON text is made of. */
export interface Parts {
  /** How deep it nests. */
  readonly depth: number
  /** Names of fields among them. */
  readonly strings: number
  /** Objects and lists. */
  readonly structures: number
}

/**
 * Looks before parsing: `JSON.parse` takes any depth, and what walks the value later overflows the stack.
 * @param maxDepth a text that is deeper is not looked at any further
 */
export const countParts = (text: string, maxDepth: number): Parts => {
  let [depth, open, strings, structures] = [0, 0, 0, 0]
  for (let at = 0; at < text.length && depth <= maxDepth; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        strings += 1
        break
      case openBracket:
      case openBrace:
        structures += 1
        open += 1
        depth = Math.max(depth, open)
        break
      case closeBracket:
      case closeBrace:
        open -= 1
        break
    }
  }
  return { depth, strings, structures }
}

/** Position of the closing quote, or of the end of the text. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1
  for (;;) {
    const end = text.indexOf('"', at)
    if (end < 0) return text.length
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return end
    at = end + 1
  }
}
