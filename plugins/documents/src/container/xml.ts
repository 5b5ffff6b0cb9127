import { SaxesParser } from 'saxes'
import { DocumentProblem } from '../problem.js'

/** An element. Names are local names, without prefixes. */
export interface XmlElement {
  readonly name: string
  /** Attributes by local name. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (XmlElement | string)[]
}

/** An element that the parser has not closed yet. */
interface OpenElement extends XmlElement {
  children: (XmlElement | string)[]
}

/** Elements without children share this list, to save memory. */
const noChildren: (XmlElement | string)[] = []
const noAttributes: XmlElement['attributes'] = {}

const maxDepth = 2000
/** Max names in the cache: documents of a format use the same few hundred. */
const maxNames = 5000

const entityProblem =
  'it declares entities in its XML, which are never expanded: write what they stand for in their places'

/**
 * Parses XML. Declared entities are not expanded, and nothing is fetched.
 * @throws DocumentProblem where it uses declared entities; the parser's error where it is not well-formed
 */
export const parseXml = (source: string): XmlElement => {
  const root: OpenElement = { name: '', attributes: noAttributes, children: noChildren }
  const open: OpenElement[] = [root]
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  let declares = false
  parser.on('doctype', (declaration) => void (declares = declaration.includes('<!ENTITY')))
  parser.on('error', (error) => {
    throw declares && error.message.includes('undefined entity') ? new DocumentProblem(entityProblem) : error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name: localName(name), attributes: localNames(attributes), children: noChildren }
    if (open.length > maxDepth) throw new Error('too many elements within each other')
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

/** The name without its prefix; equal names share one string. */
const localName = (name: string): string => {
  const known = localNamesSeen.get(name)
  if (known !== undefined) return known
  const short = name.slice(name.indexOf(':') + 1)
  if (localNamesSeen.size < maxNames) localNamesSeen.set(name, short)
  return short
}

const localNames = (attributes: Readonly<Record<string, string>>): XmlElement['attributes'] => {
  const entries = Object.entries(attributes)
  return entries.length ? Object.fromEntries(entries.map(([name, value]) => [localName(name), value])) : noAttributes
}

type Optional = XmlElement | undefined

export const elementsOf = (element: Optional): XmlElement[] =>
  element?.children.filter((child) => typeof child !== 'string') ?? []

export const child = (element: Optional, ...path: readonly string[]): Optional =>
  path.reduce<Optional>((found, name) => elementsOf(found).find((one) => one.name === name), element)

export const childrenNamed = (element: Optional, name: string): XmlElement[] =>
  elementsOf(element).filter((one) => one.name === name)

/** The descendants with these names in order, without those inside others. */
export const descendants = (element: Optional, ...names: readonly string[]): XmlElement[] =>
  elementsOf(element).flatMap((one) => (names.includes(one.name) ? [one] : descendants(one, ...names)))

export const xmlText = (element: XmlElement | string | undefined): string => {
  if (element === undefined) return ''
  return typeof element === 'string' ? element : element.children.map(xmlText).join('')
}
