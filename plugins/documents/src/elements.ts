import { DocumentProblem } from './problem.js'

/**
 * What a document may be made of: paragraphs, cells, tags, values. They are counted before they are taken apart, for
 * each becomes an object, and a file of some kilobytes unpacks to millions of them.
 */
export class ElementCount {
  private found = 0

  constructor(private readonly most: number) {}

  /** @throws DocumentProblem where they are too many now */
  add(count: number): void {
    this.check(count)
    this.found += count
  }

  /** @throws DocumentProblem where so many more would be too many */
  check(count: number): void {
    if (this.found + count > this.most)
      throw new DocumentProblem(
        `it has more than ${this.most} elements (paragraphs, cells, tags and the like), and more are not read: split it`,
      )
  }

  /**
   * Takes apart what may turn out to be of another format: its elements count only where it is not undefined.
   * @throws DocumentProblem where so many more would be too many
   */
  attempt<Result>(count: number, task: () => Result | undefined): Result | undefined {
    this.check(count)
    const result = task()
    if (result !== undefined) this.add(count)
    return result
  }
}

/** How often any of these characters stands in a text, or its bytes. */
export const occurrences = (text: string | Uint8Array, characters: string): number => {
  const wanted = new Uint8Array(65_536)
  for (const one of characters) wanted[one.charCodeAt(0)] = 1
  let count = 0
  // by index: an iterator takes ten times as long
  if (typeof text === 'string') for (let at = 0; at < text.length; at++) count += wanted[text.charCodeAt(at)] ?? 0
  else for (let at = 0; at < text.length; at++) count += wanted[text[at] ?? 0] ?? 0
  return count
}

/** At least as many as there are elements in HTML or XML: what opens a tag, a comment or a section. */
export const tagsIn = (markup: string | Uint8Array): number => {
  const at = (index: number) => (typeof markup === 'string' ? markup.charCodeAt(index) : markup[index])
  let count = 0
  for (let index = 0; index < markup.length; index++) if (at(index) === opening && at(index + 1) !== closing) count += 1
  return count
}

const [opening, closing] = ['<', '/'].map((one) => one.charCodeAt(0))

/**
 * Of XML, two tags count as one element: most of them say how others look.
 * @throws DocumentProblem where one has too many attributes
 */
export const xmlElementsIn = (xml: string | Uint8Array): number => {
  checkAttributes(xml)
  return Math.ceil(tagsIn(xml) / 2)
}

/** Parsers keep all attributes of a tag, and that of HTML compares each of them with all before. */
const maxAttributes = 1000

/** @throws DocumentProblem where a tag has more */
export const checkAttributeCount = (count: number): void => {
  if (count > maxAttributes)
    throw new DocumentProblem(
      `one of its tags has more than ${maxAttributes} attributes, and more are not read: leave some of them out`,
    )
}

const [exclamation, end, doubleQuote, singleQuote] = ['!', '>', '"', "'"].map((one) => one.charCodeAt(0))

/** Counts quoted values in tags. Values have no `<`, so that whatever stands before a tag, it is found. */
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
