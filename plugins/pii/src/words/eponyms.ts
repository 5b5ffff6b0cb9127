/** Sources of patterns for things that are named after people and places. */

import { eitherCase } from '../patterns/words.js'
import lists from './eponyms.json' with { type: 'json' }

const { statute, dish, theorems, thingsBefore, dishesBefore } = lists

/**
 * Words after a name: `science` as in `Noether’s theorem`, `illness` as in `Parkinson’s disease`. After a name that a
 * model found also: `associatedThing` as in `Miranda warning`, `food` as in `Caesar salad`.
 */
export const { science, illness, adjunct: associatedThing, food } = lists

const thing = new RegExp(`^(?:${science}|${theorems})$`, 'u')

/** Whether a word, in lower case, is such a thing itself. */
export const isEponymousThing = (word: string): boolean => thing.test(word)

/** What joins a thing and the name after it: `teorema di Ceva`. */
const connective = String.raw`(?:d[eiou]|del|della|von|des|van|of|nach)`

/** After this, any name belongs to a thing. */
export const theoremPrefix = String.raw`(?<![\p{L}\p{N}])(?:${eitherCase(theorems)}) ${connective} `

/** After this, a name belongs to a thing unless it is a known name. */
export const thingPrefix = String.raw`(?<![\p{L}\p{N}])(?:${eitherCase(thingsBefore)}) ${connective} |(?<![\p{L}\p{N}])[Mm]orbus `

/** A dish before a name: `Eggs Benedict`, `Pêche Melba`. */
export const dishPrefix = String.raw`(?<![\p{L}\p{N}])(?:${eitherCase(dishesBefore)}) (?:(?:à la|alla|alle) )?`

export const adjective = String.raw`(?:[\p{L}-]{1,20} )?`

/** Before this, even a known name belongs to a thing. */
export const eponymSuffix = String.raw`(?:(?:[- ]|['’]s? ${adjective})(?:${science})|[ -](?:effect|${illness}|${statute}|${dish}))(?![\p{L}\p{N}])`
