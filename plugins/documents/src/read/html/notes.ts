import { attribute, elementsIn } from './nodes.js'
import type { Element, Node } from './nodes.js'

export interface Notes {
  /** Labels by the links that refer to notes. */
  readonly references: ReadonlyMap<Element, string>
  /** Labels by the elements that hold them. */
  readonly bodies: ReadonlyMap<Element, string>
  /** Links that lead back, which say nothing. */
  readonly returns: ReadonlySet<Element>
}

const holders = ['li', 'aside', 'p', 'div', 'dd', 'tr', 'section']

/**
 * A link to an element that links back to it, or that says that it is a note: so footnotes are written by programs that
 * make HTML out of other formats.
 */
export const findNotes = (root: Node): Notes => {
  const notes = {
    references: new Map<Element, string>(),
    bodies: new Map<Element, string>(),
    returns: new Set<Element>(),
  }
  const links = elementsIn(root, 'a')
  const targets = byId(root)
  for (const link of links) {
    const target = targets.get(localTarget(link) ?? '')
    if (!target || notes.references.has(link)) continue
    const back = elementsIn(target, 'a').find((one) => one !== link && anchors(link).includes(localTarget(one) ?? ''))
    const said = /noteref/.test(attribute(link, 'epub:type') ?? attribute(link, 'role') ?? '')
    if ((!back && !said) || isWithin(link, target)) continue
    notes.references.set(link, notes.bodies.get(target) ?? String(new Set(notes.bodies.values()).size + 1))
    notes.bodies.set(target, notes.references.get(link) ?? '')
    for (const one of elementsIn(target, 'a')) if (localTarget(one) !== undefined) notes.returns.add(one)
  }
  for (const link of notes.returns) notes.references.delete(link)
  return notes
}

const byId = (root: Node): Map<string, Element> =>
  new Map(
    elementsIn(root, ...holders).flatMap((element) => {
      const id = attribute(element, 'id')
      return id ? [[id, element] as const] : []
    }),
  )

const localTarget = (link: Element): string | undefined => {
  const href = attribute(link, 'href')
  return href?.startsWith('#') && href.length > 1 ? href.slice(1) : undefined
}

/** What a link back may lead to: the link itself, or the element around it. */
const anchors = (link: Element): string[] =>
  [link, link.parentNode].flatMap((node) => (node && 'attrs' in node ? (attribute(node, 'id') ?? []) : []))

const isWithin = (element: Element, other: Element): boolean => {
  for (let node: Node | null = element; node; node = 'parentNode' in node ? node.parentNode : null)
    if (node === other) return true
  return false
}
