/**
 * Words that models of names take for persons and places: software, protocols, signals, and names that are given to
 * things. They are not personal information by themselves. Words that are names of people, too (Julia, Ruby, Jenkins),
 * are not among them.
 *
 * The list `software` is the dictionary of software terms of cSpell (npm package `@cspell/dict-software-terms` 5.4.9),
 * Copyright 2017-2025 Street Side Software, MIT; without those that are names of people, too.
 */

import { wordsOf } from './lists.js'
import lists from './non-names.json' with { type: 'json' }

const normal = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("'", '’')
    .replace(/[.,:;!?]+$/, '')

const setOf = (...some: string[]): ReadonlySet<string> => new Set(wordsOf(...some).map(normal))

const { ofBoth: softwareAndPeople, technology, signals, software, ...others } = lists
const technical = setOf(technology, signals, software)
const nonNames = new Set([...technical, ...setOf(...Object.values(others))])
const ambiguous = setOf(softwareAndPeople)

/** Whether a whole text is a word that names no person or place. */
export const isNonName = (text: string): boolean => nonNames.has(normal(text))

/** Whether a whole text is a name of software as well as of people. */
export const isAmbiguousSoftware = (text: string): boolean => ambiguous.has(normal(text))

/** Whether a text mentions software. */
export const isTechnical = (text: string): boolean =>
  [...text.matchAll(/\p{L}[\p{L}\d+.-]{2,20}/gu)].some(([word]) => /\p{Lu}/u.test(word) && technical.has(normal(word)))
