import { defaultTreeAdapter as adapter } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'

export type Node = DefaultTreeAdapterTypes.Node
export type Element = DefaultTreeAdapterTypes.Element

export const isElement = (node: Node): node is Element => adapter.isElementNode(node)

export const childrenOf = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : [])

export const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((one) => one.name === name)?.value

/** The text below a node, however deep that is. */
export const textOf = (node: Node): string => {
  const parts: string[] = []
  const stack: Node[] = [node]
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (adapter.isTextNode(next)) parts.push(next.value)
    else for (const child of [...childrenOf(next)].reverse()) stack.push(child)
  }
  return parts.join('')
}

/** Elements below a node with one of these names, in order. */
export const elementsIn = (node: Node, ...names: readonly string[]): Element[] => {
  const found: Element[] = []
  const stack: Node[] = [node]
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (isElement(next) && names.includes(next.tagName)) found.push(next)
    for (const child of [...childrenOf(next)].reverse()) stack.push(child)
  }
  return found
}

const skipped = new Set(
  'script style template head title noscript iframe object embed applet svg canvas audio video select datalist input'
    .concat(' button textarea map area link meta base frameset dialog')
    .split(' '),
)

/** Not to be seen, or no text of the document. */
export const isHidden = (element: Element): boolean =>
  skipped.has(element.tagName) ||
  attribute(element, 'hidden') !== undefined ||
  /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all)/i.test(attribute(element, 'style') ?? '')
