const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Counts of the values in JSON text. */
export interface JsonCounts {
  /** The depth of nesting. */
  readonly depth: number
  /** Strings, names of fields included. */
  readonly strings: number
  /** Objects and lists. */
  readonly structures: number
}

/**
 * Counts before parsing, because `JSON.parse` accepts any depth, and code that walks the value would overflow the
 * stack.
 * @param maxDepth counting stops where a text is deeper
 */
export const countJson = (text: string, maxDepth: number): JsonCounts => {
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
