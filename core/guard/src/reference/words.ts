/**
 * Words and patterns that distinguish statements from requests, greetings and descriptions of a model: `words.json` as
 * code.
 */

import data from './words.json' with { type: 'json' }

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const pattern = (source: string): RegExp => new RegExp(source, 'i')

/** Verbs with which people ask a model for something. Within a sentence, names such as Mark differ by their capital. */
export const requestVerbs = wordSet(data.words.requestVerbs)

/** Words that make the word before them a noun: `Use of force is`, `Research shows`. */
export const wordsAfterNouns = wordSet(data.words.wordsAfterNouns)

/** Words that a request may follow, at once or after their clause: `Please list …`, `In one sentence, describe …`. */
export const clauseOpeners = wordSet(data.words.clauseOpeners)

/** Verb forms that state something about somebody or something. */
export const finiteVerbs = wordSet(data.words.finiteVerbs)

/** Words that say nothing by themselves. */
export const stopWords = wordSet(data.words.stopWords)

/** Labels of a request in the form of a list, which say what the answer should be like. */
export const requestLabels = pattern(data.patterns.requestLabels)

/** Greetings, thanks, and replies that only acknowledge. */
export const courtesies = new RegExp(data.patterns.courtesies, 'iu')

/** Wishes in the form of a statement. */
export const wishes = pattern(data.patterns.wishes)

/** Sentences about the model's role and behaviour, or about the current date, from users and operators alike. */
export const modelDescriptions = pattern(data.patterns.modelDescriptions)

/** Further descriptions of that kind, which count only in texts of the operator. */
export const systemDescriptions = pattern(data.patterns.systemDescriptions)

/** Questions without a question mark. */
export const unmarkedQuestions = pattern(data.patterns.unmarkedQuestions)

const wholeWords = (source: string, flags = ''): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, `iu${flags}`)

/** English words that none of the other languages has: a sentence with one of them is English. */
const english = wholeWords('the|and|are|were|with|from|that|his|its|this')

/**
 * English words that other languages have, too. `homographs` says how each language uses them; a sentence that has them
 * elsewhere is English.
 */
const sharedEnglish = wholeWords('has|for|by|her')

/** The beginnings of requests, greetings and descriptions of an assistant, a pattern for each language. */
const openings = Object.entries(data.openings).map(([language, source]) => ({
  opening: new RegExp(`^(?:${source})`, 'iu'),
  homographs: wholeWords((data.homographs as Readonly<Record<string, string>>)[language] ?? '$^', 'g'),
}))

/** Whether a sentence in another language than English is a request, a greeting or a description of the assistant. */
export const isRequestInOtherLanguage = (sentence: string): boolean =>
  !english.test(sentence) &&
  openings.some(({ opening, homographs }) => {
    const match = opening.exec(sentence)
    return (
      match !== null && endsWord(sentence, match[0].length) && !sharedEnglish.test(sentence.replace(homographs, ''))
    )
  })

/** In scripts without spaces, a word may end after any letter. */
const endsWord = (sentence: string, at: number): boolean =>
  !/[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(sentence[at - 1] ?? '') ||
  !/^[\p{Script=Latin}\p{Script=Cyrillic}]{3,}/u.test(sentence.slice(at))
