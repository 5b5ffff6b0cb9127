import { DocumentProblem } from './problem.js'

/**
 * Limits the elements of a document: paragraphs, cells, tags, values. They are counted before they are parsed, because
 * each becomes an object, and some kilobytes may unpack to millions of them.
 */
export class ElementBudget {
  private found = 0

  constructor(private readonly max: number) {}

  /** @throws DocumentProblem where there are too many now */
  add(count: number): void {
    this.check(count)
    this.found += count
  }

  /** @throws DocumentProblem where so many more would be too many */
  check(count: number): void {
    if (this.found + count > this.max)
      throw new DocumentProblem(
        `it has more than ${this.max} elements (paragraphs, cells, tags and the like), and more are not read: split it`,
      )
  }

  /**
   * Runs a parser that returns undefined for other formats; the elements count only where it succeeds.
   * @throws DocumentProblem where so many more would be too many
   */
  attempt<Result>(count: number, task: () => Result | undefined): Result | undefined {
    this.check(count)
    const result = task()
    if (result !== undefined) this.add(count)
    return result
  }
}

/** How often any of these characters occurs in a text or its bytes. */
export const occurrences = (text: string | Uint8Array, characters: string): number => {
  const wanted = new Uint8Array(65_536)
  for (const one of characters) wanted[one.charCodeAt(0)] = 1
  let count = 0
  // by index: an iterator takes ten times as long
  if (typeof text === 'string') for (let at = 0; at < text.length; at++) count += wanted[text.charCodeAt(at)] ?? 0
  else for (let at = 0; at < text.length; at++) count += wanted[text[at] ?? 0] ?? 0
  return count
}

/** An upper bound of the elements in HTML or XML: the number of tags, comments and sections that open. */
export const tagsIn = (markup: string | Uint8Array): number => {
  const at = (index: number) => (typeof markup === 'string' ? markup.charCodeAt(index) : markup[index])
  let count = 0
  for (let index = 0; index < markup.length; index++) if (at(index) === opening && at(index + 1) !== closing) count += 1
  return count
}

const [opening, closing] = ['<', '/'].map((one) => one.charCodeAt(0))

/**
 * In XML, two tags count as one element, because most tags only format others.
 * @throws DocumentProblem where one has too many attributes
 */
export const xmlElementsIn = (xml: string | Uint8Array): number => {
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

const [exclamation, end, doubleQuote, singleQuote] = ['!', '>', '"', "'"].map((one) => one.charCodeAt(0))

/** Counts quoted values in tags. Values cannot have `<`, so each tag is found whatever precedes it. */
const checkAttributes = (xml: string | Uint8Array): void => {
  const at = (index: number) => (typeof xml === 'string' ? xml.charCodeAt(index) : xml[index])
  let inTag = false
  let quote: number | undefined
  let count = 0
  for (let index = 0; index < xml.length; index++) {
    const one = at(index)
    if (one === opening) {
      inTag = at(index + 1) !== exclamation
      quote = undefined
      count = 0
    } else if (!inTag) continue
    else if (quote !== undefined) {
      if (one !== quote) continue
      quote = undefined
      checkAttributeCount(++count)
    } else if (one === doubleQuote || one === singleQuote) quote = one
    else if (one === end) inTag = false
  }
}
