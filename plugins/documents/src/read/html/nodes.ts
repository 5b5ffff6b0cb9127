import { defaultTreeAdapter as adapter } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'
import type { Mark } from '../../model/blocks.js'

export type Node = DefaultTreeAdapterTypes.Node
export type Element = DefaultTreeAdapterTypes.Element

export const isElement = (node: Node): node is Element => adapter.isElementNode(node)

export const childrenOf = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : [])

export const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((one) => one.name === name)?.value

/** A node and all that is below it, however deep, in order. */
function* nodesIn(node: Node): Generator<Node> {
  const stack: Node[] = [node]
  for (let next = stack.pop(); next; next = stack.pop()) {
    yield next
    for (const child of [...childrenOf(next)].reverse()) stack.push(child)
  }
}

/** The text below a node. @param lineBreak replaces `br` */
export const textOf = (node: Node, lineBreak = ''): string => {
  const parts: string[] = []
  for (const one of nodesIn(node))
    if (adapter.isTextNode(one)) parts.push(one.value)
    else if (isElement(one) && one.tagName === 'br') parts.push(lineBreak)
  return parts.join('')
}

/** Elements below a node with one of these names. */
export const elementsIn = (node: Node, ...names: readonly string[]): Element[] =>
  Array.from(nodesIn(node)).filter((one): one is Element => isElement(one) && names.includes(one.tagName))

const skippedElements = new Set(
  (
    'script style template head title noscript iframe object embed applet svg canvas audio video select datalist input ' +
    'button textarea map area link meta base frameset dialog'
  ).split(' '),
)

/** Whether an element is invisible, or has no text of the document. */
export const isHidden = (element: Element): boolean =>
  skippedElements.has(element.tagName) ||
  attribute(element, 'hidden') !== undefined ||
  /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all)/i.test(attribute(element, 'style') ?? '')

export const marksByTag: Readonly<Record<string, Mark>> = {
  ...{ b: 'bold', strong: 'bold' },
  ...{ i: 'italic', em: 'italic', cite: 'italic', var: 'italic' },
  ...{ s: 'strike', strike: 'strike', del: 'strike' },
  ...{ code: 'code', kbd: 'code', samp: 'code', tt: 'code' },
}

/** Inline elements. */
export const phrasingElements = new Set(
  (
    'a abbr acronym bdi bdo big data dfn font ins label mark nobr q rp rt ruby small span sub sup time u wbr image math ' +
    'o:p st1:place'
  ).split(' '),
)
