import { attribute, elementsIn } from './nodes.js'
import type { Element, Node } from './nodes.js'

export interface Notes {
  /** Labels by the links that refer to notes. */
  readonly references: ReadonlyMap<Element, string>
  /** Labels by the elements with the notes. */
  readonly bodies: ReadonlyMap<Element, string>
  /** Links from notes into the document, which are left out. */
  readonly backlinks: ReadonlySet<Element>
}

const noteElements = ['li', 'aside', 'p', 'div', 'dd', 'tr', 'section']

/**
 * Finds footnotes as converters write them: links to elements that link back, or links that are declared as references.
 */
export const findNotes = (root: Node): Notes => {
  const references = new Map<Element, string>()
  const bodies = new Map<Element, string>()
  const backlinks = new Set<Element>()
  const targets = byId(root)
  const linksByTarget = new Map<Element, LocalLinks>()
  for (const link of elementsIn(root, 'a')) {
    const target = targets.get(localTarget(link) ?? '')
    if (!target) continue
    const links = linksByTarget.get(target) ?? localLinksIn(target)
    linksByTarget.set(target, links)
    const leadsBack = anchors(link).some((id) => links.ids.has(id))
    const isDeclared = /noteref/.test(attribute(link, 'epub:type') ?? attribute(link, 'role') ?? '')
    if ((!leadsBack && !isDeclared) || isWithin(link, target)) continue
    const known = bodies.get(target)
    const label = known ?? String(bodies.size + 1)
    references.set(link, label)
    if (known !== undefined) continue
    bodies.set(target, label)
    for (const one of links.elements) backlinks.add(one)
  }
  for (const link of backlinks) references.delete(link)
  return { references, bodies, backlinks }
}

const byId = (root: Node): Map<string, Element> =>
  new Map(
    elementsIn(root, ...noteElements).flatMap((element) => {
      const id = attribute(element, 'id')
      return id ? [[id, element] as const] : []
    }),
  )

interface LocalLinks {
  readonly elements: readonly Element[]
  /** The ids to which they point. */
  readonly ids: ReadonlySet<string>
}

const localLinksIn = (element: Element): LocalLinks => {
  const elements = elementsIn(element, 'a').filter((link) => localTarget(link) !== undefined)
  return { elements, ids: new Set(elements.map((link) => localTarget(link) ?? '')) }
}

const localTarget = (link: Element): string | undefined => {
  const href = attribute(link, 'href')
  return href?.startsWith('#') && href.length > 1 ? href.slice(1) : undefined
}

/** Ids to which a backlink may point: those of the reference and of its parent. */
const anchors = (link: Element): string[] =>
  [link, link.parentNode].flatMap((node) => (node && 'attrs' in node ? (attribute(node, 'id') ?? []) : []))

const isWithin = (element: Element, other: Element): boolean => {
  for (let node: Node | null = element; node; node = 'parentNode' in node ? node.parentNode : null)
    if (node === other) return true
  return false
}
