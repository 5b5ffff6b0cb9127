/** Texts of several fields that models read near each other: an attack may be split over them. */

import type { MethodDeclaration } from '@sallyport/core'
import { joined } from './parts.js'
import type { JoinedParts } from './parts.js'
import type { TextSite } from '../fields/walk.js'

/** What a schema says in words: in values of unknown type, names and single words stand between. */
const isProse = ({ path, text }: TextSite): boolean => {
  const name = path.at(-1)
  return text !== name && (/\s/.test(text) || name === 'description' || name === 'title')
}

/** A declared field of an item, or a text of a list: `['tools', 0, 'name']`. */
const declaredDepth = 3

/** The texts of each group of fields as one, a line for each. */
export const joinTogether = (
  { together = [] }: MethodDeclaration,
  sites: readonly TextSite[],
): readonly JoinedParts[] => {
  const groups = new Map<string, TextSite[]>()
  for (const site of sites) {
    const [field, item] = site.path
    const group = together.findIndex((fields) => fields.includes(String(field)))
    if (group < 0 || (site.path.length >= declaredDepth && !isDeclared(site) && !isProse(site))) continue
    const name = site.path.length >= declaredDepth ? `${group} ${item ?? ''}` : String(group)
    const texts = groups.get(name)
    if (texts) texts.push(site)
    else groups.set(name, [site])
  }
  return [...groups.values()].flatMap(([first, ...rest]) =>
    first && rest.length
      ? {
          path: first.path,
          ...joined(
            [first, ...rest].map(({ text }) => text),
            '\n',
          ),
        }
      : [],
  )
}

const isDeclared = ({ path, text }: TextSite): boolean => path.length === declaredDepth && text !== path.at(-1)
