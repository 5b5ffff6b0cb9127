/** Recognises things that are named after a person or place: `Dijkstra's algorithm`, `Caesar salad`. */

import type { ModelFinding } from './finding.js'
import { adjective, dishPrefix, isEponymousThing, theoremPrefix, thingPrefix } from '../words/eponyms.js'
import { associatedThing, food, illness, science } from '../words/eponyms.js'
import { isKnownName } from '../words/names.js'

const beginningWith = (lead: string, things: string) =>
  new RegExp(String.raw`^${lead}(?:${things})(?![\p{L}\p{N}])`, 'iu')

const thingAfter = beginningWith('[- ]', `${science}|${illness}|${associatedThing}`)
const possessedThing = beginningWith(String.raw`['’]s? ${adjective}`, science)
const possessedIllness = beginningWith("['’]s? ", illness)
const foodAfter = beginningWith('[- ]', food)
const endingWith = (things: string) => new RegExp(`(?:${things})$`, 'u')
const dishBefore = endingWith(dishPrefix)
const theoremBefore = endingWith(theoremPrefix)
const thingBefore = endingWith(thingPrefix)

/** Genus and species are Latin: `Escherichia coli`. */
const genus = /^\p{Lu}\p{Ll}{3,20}(?:a|us|um|o|is|es|er|ix)$/u
const species = /^ \p{Ll}{2,14}(?:us|is|um|ae|li|ii|ea|ens|ans)(?![\p{L}\p{N}])/u

/** `das Ohmsche Gesetz`, `der Gaußschen Kurve` */
const adjectival = /sch(?:e|e[mnrs])$/u
const article = /(?<!\p{L})(?:[Dd](?:as|er|ie|en|em|es)|[Ee]in(?:e|en|em|er|es)?) $/u

/** A name that a model found together with the thing: `théorème de Ceva`, `Ceva theorem`. */
const nameWithThing =
  /^(?<lead>(?:\p{Ll}[\p{L}'’]{0,20} ){0,3})(?<name>\p{Lu}[\p{L}\p{M}'’-]{0,40}?)(?:['’]s?)?(?: \p{Ll}[\p{L}-]{0,20}){0,3}$/u

/** A given name before a surname: then the next word may be a verb, as in `Jane Miller plots`. */
const givenName = /(?<![\p{L}\p{M}])(\p{Lu}[\p{L}\p{M}'’-]{1,20}) $/u

/** How many UTF-16 code units on each side are read. */
const contextLength = 48

/** Whether something is named after the person or place of a finding. The text must use capitals. */
export const isEponym = (text: string, { type, start, end }: ModelFinding): boolean => {
  const content = text.slice(start, end)
  if (isEponymousThing(content)) return true
  const { lead = '', name } = nameWithThing.exec(content)?.groups ?? {}
  if (name === undefined) return false
  const from = start + lead.length
  const after = text.slice(from + name.length, from + name.length + contextLength)
  const before = text.slice(Math.max(0, from - contextLength), from)
  if (foodAfter.test(after) || dishBefore.test(before)) return true
  const isKnown = isKnownName(name.toLowerCase())
  if (theoremBefore.test(before)) return type === 'PERSON' || !isKnown
  if (thingBefore.test(before) && !isKnown) return true
  if (type !== 'PERSON') return false
  const firstName = givenName.exec(before)?.[1]
  if (firstName !== undefined && isKnownName(firstName.toLowerCase())) return false
  if (thingAfter.test(after) || possessedThing.test(after)) return true
  if (adjectival.test(name) && article.test(before) && /^ \p{Lu}/u.test(after)) return true
  return (possessedIllness.test(after) || (genus.test(name) && species.test(after))) && !isKnown
}
