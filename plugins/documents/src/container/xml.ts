import { SaxesParser } from 'saxes'
import { DocumentProblem } from '../problem.js'

/** An element; names are local ones: prefixes are left out. */
export interface XmlElement {
  readonly name: string
  /** By local name. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (XmlElement | string)[]
}

/** An element that is being read. */
interface OpenElement extends XmlElement {
  children: (XmlElement | string)[]
}

/** Most elements have no children: they share this list, and get one of their own with their first child. */
const noChildren: (XmlElement | string)[] = []
const noAttributes: XmlElement['attributes'] = {}

const deepest = 2000
/** Names that are remembered: documents of a format have the same few hundred. */
const maxNames = 5000

const entities = 'it declares entities in its XML, which are never expanded: write what they stand for in their places'

/**
 * Entities of documents are not expanded, and nothing is fetched.
 * @throws DocumentProblem where it is made of entities; what is wrong with it
 */
export const parseXml = (source: string): XmlElement => {
  const root: OpenElement = { name: '', attributes: noAttributes, children: noChildren }
  const open: OpenElement[] = [root]
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  let declares = false
  parser.on('doctype', (declaration) => void (declares = declaration.includes('<!ENTITY')))
  parser.on('error', (error) => {
    throw declares && error.message.includes('undefined entity') ? new DocumentProblem(entities) : error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name: local(name), attributes: localNames(attributes), children: noChildren }
    if (open.length > deepest) throw new Error('too many elements within each other')
    add(open.at(-1) ?? root, element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  const addText = (text: string) => {
    const element = open.at(-1) ?? root
    const last = element.children.at(-1)
    if (typeof last === 'string') element.children[element.children.length - 1] = last + text
    else add(element, text)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(source.replace(/^\ufeff/, '')).close()
  return elementsOf(root)[0] ?? root
}

const add = (element: OpenElement, child: XmlElement | string): void => {
  if (element.children === noChildren) element.children = [child]
  else element.children.push(child)
}

const localNamesSeen = new Map<string, string>()

/** One string for all elements of a name. */
const local = (name: string): string => {
  const known = localNamesSeen.get(name)
  if (known !== undefined) return known
  const short = name.slice(name.indexOf(':') + 1)
  if (localNamesSeen.size < maxNames) localNamesSeen.set(name, short)
  return short
}

const localNames = (attributes: Readonly<Record<string, string>>): XmlElement['attributes'] => {
  const entries = Object.entries(attributes)
  return entries.length ? Object.fromEntries(entries.map(([name, value]) => [local(name), value])) : noAttributes
}

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
