import { attribute, elementsIn } from './nodes.js'
import type { Element, Node } from './nodes.js'

export interface Notes {
  /** Labels by the links that refer to notes. */
  readonly references: ReadonlyMap<Element, string>
  /** Labels by the elements with the notes. */
  readonly bodies: ReadonlyMap<Element, string>
  /** Links back to the reference, which are left out. */
  readonly returns: ReadonlySet<Element>
}

const noteElements = ['li', 'aside', 'p', 'div', 'dd', 'tr', 'section']

/**
 * Finds footnotes as converters write them: links to elements that link back, or links that are declared as references.
 */
export const findNotes = (root: Node): Notes => {
  const notes = {
    references: new Map<Element, string>(),
    bodies: new Map<Element, string>(),
    returns: new Set<Element>(),
  }
  const links = elementsIn(root, 'a')
  const targets = byId(root)
  const inside = new Map<Element, LocalLinks>()
  for (const link of links) {
    const target = targets.get(localTarget(link) ?? '')
    if (!target) continue
    const within = inside.get(target) ?? localLinksIn(target)
    inside.set(target, within)
    const back = anchors(link).some((id) => within.targets.has(id))
    const declared = /noteref/.test(attribute(link, 'epub:type') ?? attribute(link, 'role') ?? '')
    if ((!back && !declared) || isWithin(link, target)) continue
    const known = notes.bodies.get(target)
    const label = known ?? String(notes.bodies.size + 1)
    notes.references.set(link, label)
    if (known !== undefined) continue
    notes.bodies.set(target, label)
    for (const one of within.links) notes.returns.add(one)
  }
  for (const link of notes.returns) notes.references.delete(link)
  return notes
}

const byId = (root: Node): Map<string, Element> =>
  new Map(
    elementsIn(root, ...noteElements).flatMap((element) => {
      const id = attribute(element, 'id')
      return id ? [[id, element] as const] : []
    }),
  )

interface LocalLinks {
  readonly links: readonly Element[]
  readonly targets: ReadonlySet<string>
}

const localLinksIn = (element: Element): LocalLinks => {
  const links = elementsIn(element, 'a').filter((link) => localTarget(link) !== undefined)
  return { links, targets: new Set(links.map((link) => localTarget(link) ?? '')) }
}

const localTarget = (link: Element): string | undefined => {
  const href = attribute(link, 'href')
  return href?.startsWith('#') && href.length > 1 ? href.slice(1) : undefined
}

/** Ids to which a link back may point: those of the reference and of its parent. */
const anchors = (link: Element): string[] =>
  [link, link.parentNode].flatMap((node) => (node && 'attrs' in node ? (attribute(node, 'id') ?? []) : []))

const isWithin = (element: Element, other: Element): boolean => {
  for (let node: Node | null = element; node; node = 'parentNode' in node ? node.parentNode : null)
    if (node === other) return true
  return false
}
