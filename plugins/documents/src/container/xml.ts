import { SaxesParser } from 'saxes'
import { DocumentProblem } from '../problem.js'

/** An element; names are local ones: prefixes are left out. */
export interface XmlElement {
  readonly name: string
  /** By local name. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (XmlElement | string)[]
}

const deepest = 2000

const entities = 'it declares entities in its XML, which are never expanded: write what they stand for in their places'

/**
 * Entities of documents are not expanded, and nothing is fetched.
 * @throws DocumentProblem where it is made of entities; what is wrong with it
 */
export const parseXml = (source: string): XmlElement => {
  const root: XmlElement = { name: '', attributes: {}, children: [] }
  const open: XmlElement[] = [root]
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  let declares = false
  parser.on('doctype', (declaration) => void (declares = declaration.includes('<!ENTITY')))
  parser.on('error', (error) => {
    throw declares && error.message.includes('undefined entity') ? new DocumentProblem(entities) : error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { name: local(name), attributes: localNames(attributes), children: [] }
    if (open.length > deepest) throw new Error('too many elements within each other')
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  const addText = (text: string) => {
    const { children } = open.at(-1) ?? root
    const last = children.at(-1)
    if (typeof last === 'string') children[children.length - 1] = last + text
    else children.push(text)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(source.replace(/^\ufeff/, '')).close()
  return elementsOf(root)[0] ?? root
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

const localNames = (attributes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [local(name), value]))

export const elementsOf = ({ children }: XmlElement): XmlElement[] =>
  children.filter((child) => typeof child !== 'string')

export const child = (element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>(
    (found, name) => found?.children.find((one): one is XmlElement => typeof one !== 'string' && one.name === name),
    element,
  )

export const childrenNamed = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element ? elementsOf(element).filter((one) => one.name === name) : []

/** Elements of these names below, the outermost of each branch, in order. */
export const descendants = (element: XmlElement, ...names: readonly string[]): XmlElement[] =>
  elementsOf(element).flatMap((one) => (names.includes(one.name) ? [one] : descendants(one, ...names)))

export const xmlText = (element: XmlElement | string | undefined): string => {
  if (element === undefined) return ''
  return typeof element === 'string' ? element : element.children.map(xmlText).join('')
}
