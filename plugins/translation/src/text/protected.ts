/** Items that a translation must keep: addresses, placeholders, mark-up, numbers. */

/** The patterns, in the order in which they are tried at a position. */
const literals: readonly RegExp[] = [
  /`[^`\n]+`/u, // code
  /\]\([^()\s]+\)/u, // the target of a Markdown link
  /(?:https?|ftp):\/\/[^\s<>"'{}]*[^\s<>"'{}.,;:!?)\]]/u,
  /www\.[\p{L}\d-]+\.[^\s<>"'{}]*[^\s<>"'{}.,;:!?)\]]/u,
  /(?<![\p{L}\d._%+-])[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/u,
  /\{\{[^{}\n]*\}\}/u,
  /\$?\{[^{}\n]{0,80}\}/u,
  /(?<![\p{L}\d])%(?:\([\w.]+\))?(?:\d+\$)?[-+#0]*\d*(?:\.\d+)?(?:hh|h|ll|l|z)?[sdifgeuxXc@](?![\p{L}\d])/u,
  /<\/?[A-Za-z][^<>\n]{0,300}>/u,
  /\[[A-Z][A-Z\d_]+\]/u,
  /&(?:#\d+|#x[\dA-Fa-f]+|[A-Za-z]\w*);/u,
  /(?<![\p{L}\d])[@#][\p{L}\d_]+/u,
]

const number = /\p{Nd}+(?:[.,:/\u00a0\u202f'’-]\p{Nd}+)*/u

const item = new RegExp([...literals, number].map(({ source }) => `(?:${source})`).join('|'), 'gu')
const literalItem = new RegExp(literals.map(({ source }) => `(?:${source})`).join('|'), 'gu')
const wholeNumber = new RegExp(`^(?:${number.source})$`, 'u')

export interface Item {
  readonly start: number
  readonly end: number
  /** Identifies the item in the translation: its text, or a number's digits, as punctuation depends on the language. */
  readonly key: string
}

/** The items of a text, in its order. */
export const itemsOf = (text: string): Item[] =>
  Array.from(text.matchAll(item), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    key: wholeNumber.test(found) ? digitsOf(found) : found,
  }))

/** Whether a text has anything to translate besides its items. */
export const hasWords = (text: string): boolean => /\p{L}/u.test(text.replace(item, ' '))

/** The text without addresses, placeholders and mark-up. */
export const withoutLiterals = (text: string): string => text.replace(literalItem, ' ')

const digitsOf = (text: string): string =>
  Array.from(text.matchAll(/\p{Nd}/gu), ([digit]) => String(valueOf(digit))).join('')

/** In Unicode, the decimal digits of a script are ten consecutive code points from zero on. */
const valueOf = (digit: string): number => {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return code < 128 ? code - 48 : (code - zero) % 10
}

/** Small numbers may become words, and afternoon hours may become other numbers. */
const mayBeSpelledOut = (key: string): boolean => /^\d{1,2}$/.test(key) && Number(key) <= 12

/** The items of a text that its translation has lost, or repeats. */
export const damagedItems = (text: string, translation: string): Item[] => {
  const items = itemsOf(text)
  if (items.length === 0) return []
  const [before, after] = [counts(items), counts(itemsOf(translation))]
  return items.filter(({ key }) => {
    const [expected, found] = [before.get(key) ?? 0, after.get(key) ?? 0]
    return /^\d+$/.test(key) ? found < expected && !mayBeSpelledOut(key) : found !== expected
  })
}

const counts = (items: readonly Item[]): Map<string, number> => {
  const count = new Map<string, number>()
  for (const { key } of items) count.set(key, (count.get(key) ?? 0) + 1)
  return count
}
