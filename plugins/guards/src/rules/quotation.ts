/** UTF-16 units before a quotation that tell one, and behind what is quoted in which it must end. */
const before = 24
const behind = 300

/** The end of what stands before a quotation: words, and a mark that opens it. */
const opening = /\p{L}{2}[\p{L}\s:,]{6,22}["'`«„(]?(?<mark>["'`«„(])$/u
const sentenceEnd = /[.!?](?=\s)|\n/
const closing: Readonly<Record<string, RegExp>> = {
  '"': /"/,
  "'": /'(?!\p{L})/u,
  '`': /`/,
  '«': /»/,
  '„': /["“”]/,
  '(': /\)/,
}

/** Whether a span begins a quotation in a text about something else, which ends in the same sentence. */
export const isQuoted = (text: string, start: number, end: number): boolean => {
  const mark = opening.exec(text.slice(Math.max(0, start - before), start))?.groups?.['mark']
  const [rest = ''] = mark === undefined ? [] : text.slice(end, end + behind).split(sentenceEnd, 1)
  return mark !== undefined && closing[mark]?.test(rest) === true
}
