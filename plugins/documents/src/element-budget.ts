import { DocumentProblem } from './problem.js'

/**
 * Limits the elements of a document: paragraphs, cells, tags, values. They are counted before they are parsed, because
 * each becomes an object, and some kilobytes may unpack to millions of them.
 */
export class ElementBudget {
  private found = 0

  constructor(private readonly max: number) {}

  /** @throws DocumentProblem where they would be too many */
  add(count: number): void {
    this.check(count)
    this.found += count
  }

  /** Like {@link add}, without counting them. @throws DocumentProblem where they would be too many */
  check(count: number): void {
    if (this.found + count > this.max)
      throw new DocumentProblem(
        `it has more than ${this.max} elements (paragraphs, cells, tags and the like), and more are not read: split it`,
      )
  }

  /**
   * Runs a parser that returns undefined for other formats; the elements count only where it succeeds.
   * @throws DocumentProblem where they would be too many
   */
  attempt<Result>(count: number, task: () => Result | undefined): Result | undefined {
    this.check(count)
    const result = task()
    if (result !== undefined) this.add(count)
    return result
  }
}

type Markup = string | Uint8Array

const codeAt = (text: Markup, at: number) => (typeof text === 'string' ? text.charCodeAt(at) : text[at])

/** How often any of these characters occurs in a text or its bytes. */
export const occurrences = (text: Markup, characters: string): number => {
  const wanted = new Uint8Array(65_536)
  for (const one of characters) wanted[one.charCodeAt(0)] = 1
  let count = 0
  // an iterator takes ten times as long
  for (let at = 0; at < text.length; at++) count += wanted[codeAt(text, at) ?? 0] ?? 0
  return count
}

const [opening, slash, exclamation, closing, doubleQuote, singleQuote] = Array.from('</!>"\'', (one) =>
  one.charCodeAt(0),
)

/** An upper bound of the elements in HTML or XML: the number of tags, comments and sections that open. */
export const tagsIn = (markup: Markup): number => {
  let count = 0
  for (let at = 0; at < markup.length; at++)
    if (codeAt(markup, at) === opening && codeAt(markup, at + 1) !== slash) count += 1
  return count
}

/**
 * In XML, two tags count as one element, because most tags only format others.
 * @throws DocumentProblem where one has too many attributes
 */
export const xmlElementsIn = (xml: Markup): number => {
  checkAttributes(xml)
  return Math.ceil(tagsIn(xml) / 2)
}

/** Parsers keep all attributes of a tag, and the HTML parser compares each with all before it. */
const maxAttributes = 1000

/** @throws DocumentProblem where a tag has more */
export const checkAttributeCount = (count: number): void => {
  if (count > maxAttributes)
    throw new DocumentProblem(
      `one of its tags has more than ${maxAttributes} attributes, and more are not read: leave some of them out`,
    )
}

/** Counts quoted values in tags. Values cannot have `<`, so each tag is found whatever precedes it. */
const checkAttributes = (xml: Markup): void => {
  let inTag = false
  let quote: number | undefined
  let count = 0
  for (let index = 0; index < xml.length; index++) {
    const one = codeAt(xml, index)
    if (one === opening) {
      inTag = codeAt(xml, index + 1) !== exclamation
      quote = undefined
      count = 0
    } else if (!inTag) continue
    else if (quote !== undefined) {
      if (one !== quote) continue
      quote = undefined
      checkAttributeCount(++count)
    } else if (one === doubleQuote || one === singleQuote) quote = one
    else if (one === closing) inTag = false
  }
}
