/** Things that are called after a person or a place, who is not meant: `Dijkstra's algorithm`, `Caesar salad`. */

import type { ModelFinding } from './finding.js'
import {
  adjunct,
  dishBefore,
  food,
  illness,
  isThing,
  science,
  theoremBefore,
  thingBefore,
} from '../words/called-after.js'
import { isKnownName } from '../words/names.js'

const next = (lead: string, things: string) => new RegExp(String.raw`^${lead}(?:${things})(?![\p{L}\p{N}])`, 'iu')

const adjective = String.raw`(?:[\p{L}-]{1,20} )?`
const called = next('[- ]', `${science}|${illness}|${adjunct}`)
const owned = next(String.raw`['’]s? ${adjective}`, science)
const suffered = next("['’]s? ", illness)
const eaten = next('[- ]', food)
const behind = (things: string) => new RegExp(`(?:${things})$`, 'u')
const dished = behind(dishBefore)
const statedBefore = behind(theoremBefore)
const calledBefore = behind(thingBefore)

/** Genus and species are Latin: `Escherichia coli`. */
const genus = /^\p{Lu}\p{Ll}{3,20}(?:a|us|um|o|is|es|er|ix)$/u
const species = /^ \p{Ll}{2,14}(?:us|is|um|ae|li|ii|ea|ens|ans)(?![\p{L}\p{N}])/u

/** `das Ohmsche Gesetz`, `der Gaußschen Kurve` */
const adjectival = /sch(?:e|e[mnrs])$/u
const article = /(?<!\p{L})(?:[Dd](?:as|er|ie|en|em|es)|[Ee]in(?:e|en|em|er|es)?) $/u

/** Models count the thing to the name: `théorème de Ceva`, `Ceva theorem`. */
const counted =
  /^(?<lead>(?:\p{Ll}[\p{L}'’]{0,20} ){0,3})(?<name>\p{Lu}[\p{L}\p{M}'’-]{0,40}?)(?:['’]s?)?(?: \p{Ll}[\p{L}-]{0,20}){0,3}$/u

/** Before a surname, of somebody who may do what a thing is called: `Jane Miller plots`. */
const givenName = /(?<![\p{L}\p{M}])(\p{Lu}[\p{L}\p{M}'’-]{1,20}) $/u

/** UTF-16 units on either side that tell. */
const near = 48

/** Whether a person or place is one that something is called after. In a text where capitals mean something. */
export const isEponym = (text: string, { type, start, end }: ModelFinding): boolean => {
  const content = text.slice(start, end)
  if (isThing(content)) return true
  const { lead = '', name } = counted.exec(content)?.groups ?? {}
  if (name === undefined) return false
  const from = start + lead.length
  const after = text.slice(from + name.length, from + name.length + near)
  const before = text.slice(Math.max(0, from - near), from)
  if (eaten.test(after) || dished.test(before)) return true
  const isKnown = isKnownName(name.toLowerCase())
  if (statedBefore.test(before)) return type === 'PERSON' || !isKnown
  if (calledBefore.test(before) && !isKnown) return true
  if (type !== 'PERSON') return false
  const given = givenName.exec(before)?.[1]
  if (given !== undefined && isKnownName(given.toLowerCase())) return false
  if (called.test(after) || owned.test(after)) return true
  if (adjectival.test(name) && article.test(before) && /^ \p{Lu}/u.test(after)) return true
  return (suffered.test(after) || (genus.test(name) && species.test(after))) && !isKnown
}
