/** What is called after people and places, who are not meant: sources of patterns. */

import { either } from '../patterns/words.js'
import lists from './called-after.json' with { type: 'json' }

const { statute, dish, theorems, thingsBefore, dishesBefore } = lists

/**
 * Behind a name: `science` as in `Noether’s theorem` (no verbs), and `illness`. Behind a name that a model finds:
 * `adjunct`, of what somebody has, too, and `food` as in `Caesar salad`.
 */
export const { science, illness, adjunct, food } = lists

const thing = new RegExp(`^(?:${science}|${theorems})$`, 'u')

/** Whether a word, in lower case, names nobody by itself. */
export const isThing = (word: string): boolean => thing.test(word)

/** What joins a thing and the name behind it: `teorema di Ceva`. */
const joining = String.raw`(?:d[eiou]|del|della|von|des|van|of|nach)`

/** Whether known or not, a name is nobody's behind it. */
export const theoremBefore = String.raw`(?<![\p{L}\p{N}])(?:${either(theorems)}) ${joining} `

/** A name that nobody is known by is nobody's behind it. */
export const thingBefore = String.raw`(?<![\p{L}\p{N}])(?:${either(thingsBefore)}) ${joining} |(?<![\p{L}\p{N}])[Mm]orbus `

/** Before a name: `Eggs Benedict`, `Pêche Melba`. */
export const dishBefore = String.raw`(?<![\p{L}\p{N}])(?:${either(dishesBefore)}) (?:(?:à la|alla|alle) )?`

const adjective = String.raw`(?:[\p{L}-]{1,20} )?`

/** Behind a name that is known: it names nobody there. */
export const thingBehind = String.raw`(?:(?:[- ]|['’]s? ${adjective})(?:${science})|[ -](?:effect|${illness}|${statute}|${dish}))(?![\p{L}\p{N}])`
