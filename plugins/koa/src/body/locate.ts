/** Finds where JSON text goes wrong: V8 names no position for some errors, and quotes the text for others. */

const afterValue = '"," or the end'

type Expected = 'a value' | 'a value or "]"' | 'a property name' | 'a property name or "}"' | '":"' | typeof afterValue

const token =
  /[ \t\r\n]*(?:("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:]))/y
const space = /[ \t\r\n]*/y

/** `expected a value at line 1, column 9 (position 8)` */
export const locateSyntaxError = (text: string): string => {
  const { position, expected } = firstProblem(text)
  if (position >= text.length) return `it ends too early: expected ${expected} at position ${position}`
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const column = position - before.lastIndexOf('\n')
  return `expected ${expected} at line ${line}, column ${column} (position ${position})`
}

const firstProblem = (text: string): { position: number; expected: string } => {
  const open: ('[' | '{')[] = []
  let expected: Expected = 'a value'
  let at = 0
  for (;;) {
    space.lastIndex = at
    const start = at + (space.exec(text)?.[0].length ?? 0)
    if (expected === afterValue && open.length === 0) return { position: start, expected: 'the end' }
    token.lastIndex = at
    const match = token.exec(text)
    if (!match) return { position: start, expected }
    const next = expectedAfter(match, expected, open)
    if (!next) return { position: start, expected }
    expected = next
    at = token.lastIndex
  }
}

/** What comes after this token; undefined where it is not allowed. */
const expectedAfter = (
  [, string, scalar, mark]: RegExpExecArray,
  expected: Expected,
  open: ('[' | '{')[],
): Expected | undefined => {
  const valueFits = expected === 'a value' || expected === 'a value or "]"'
  const keyFits = expected === 'a property name' || expected === 'a property name or "}"'
  if (string !== undefined && keyFits) return '":"'
  if (string !== undefined || scalar !== undefined) return valueFits ? afterValue : undefined
  switch (mark) {
    case '[':
    case '{':
      if (!valueFits) return undefined
      open.push(mark)
      return mark === '[' ? 'a value or "]"' : 'a property name or "}"'
    case ':':
      return expected === '":"' ? 'a value' : undefined
    case ',':
      if (expected !== afterValue) return undefined
      return open.at(-1) === '[' ? 'a value' : 'a property name'
    default:
      return closes(mark, expected, open) ? afterValue : undefined
  }
}

const closes = (mark: string | undefined, expected: Expected, open: ('[' | '{')[]): boolean => {
  const [opening, expectedInEmpty] = mark === ']' ? ['[', 'a value or "]"'] : ['{', 'a property name or "}"']
  const fits = open.at(-1) === opening && (expected === afterValue || expected === expectedInEmpty)
  if (fits) open.pop()
  return fits
}
