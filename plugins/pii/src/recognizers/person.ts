import { dishPrefix, theoremPrefix, eponymSuffix } from '../words/eponyms.js'
import {
  givenNamesBeforeSurname,
  isOrdinary,
  isSurname,
  mayBeName,
  occupations,
  particles,
  relatives,
  standaloneGivenNames,
  works,
} from '../words/names.js'
import { isNonName } from '../words/non-names.js'
import type { Span } from '@sallyport/kit/views'
import type { Recognizer } from './recognizer.js'
import data from './person.json' with { type: 'json' }
import { raw } from '../patterns/raw-regex.js'

const word = String.raw`\p{Lu}[\p{L}\p{M}'’-]{1,30}`
const particle = String.raw`(?:(?:${particles}) ){0,2}`
const name = String.raw`${word}(?: (?:\p{Lu}\. ){0,2}${particle}${word}){0,2}`
const titles =
  'Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Doctor|Sir|Madam|Herr|Frau|Monsieur|Madame|Mme|Mlle|Señor|Señora|Sr|Sra|Don|Doña|Signor|Signora|Rev|Reverend|Judge|Senator|Captain|Capt|Lieutenant|Sergeant|Colonel'

const after = (lead: string, score: number) => ({
  regex: raw.u`(?<![\p{L}\p{N}])(?<lead>${lead})${name}`,
  score,
})

/** The name before a possessive ending, a degree or an address: `Zoe Quux’s House`, `Zoe Quux PhD`. */
const nameOnly = (match: string): Span => {
  const end = match.search(/['’]s?(?!\p{L})| (?:Ph\.?D|M\.?D|DDS|Esq|Apt|Apartment|Suite|Ste|Unit|Flat|Box)(?!\p{L})/u)
  return { start: 0, end: end > 0 ? end : match.length }
}

/** Names after titles and phrases that introduce one, without a list of names. */
export const person: Recognizer = {
  entity: 'PERSON',
  patterns: [
    after(String.raw`(?:${titles})\.? {1,2}`, 0.8),
    after(
      String.raw`(?:[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Mm]aiden|[Ff]ull|[Ff]irst|[Ll]ast) (?:full |first |last |maiden )?[Nn]ame (?:is|was) `,
      0.85,
    ),
    after(
      String.raw`(?:Dear|Sincerely,\s{0,4}|(?:[Kk]ind |[Bb]est |[Ww]arm )?[Rr]egards,\s{0,4}|Yours truly,\s{0,4}) ?`,
      0.55,
    ),
    after(
      String.raw`(?:[Ii]ch heiße|[Mm]ein Name ist|[Jj]e m'appelle|[Mm]e llamo|[Mm]i chiamo|[Ii]'m called|[Ii] am called|[Tt]his is) `,
      0.55,
    ),
    after(String.raw`(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir) (?:${relatives}),? `, 0.65),
    after(String.raw`(?<![\p{L}-])(?:${occupations}),? `, 0.55),
    after(String.raw`(?:[Dd]irected by|(?:[Cc]o-?)?[Ss]tarring) `, 0.6),
  ],
  validate: (match) => !notNames.test(match),
  within: nameOnly,
  invalidInContext: false,
  ...data.person,
}

/** Words with a capital that may follow such phrases and are not names. */
const notNames =
  /^(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Doctor|Name|Address|Sir|Madam|Sirs|All|Team|Customer|Colleagues|Friends?|Hiring|Valued|Members?|Support|God|Lord|London|Paris|The|A|An|My|Your|Our|It|Not|Just|What|How|Why|Where|Part|Diary|Santa|Quixote)(?![\p{L}])/u

/** Names after a label, which things have, too: `name: Build`, `name: Postgres`. */
export const labelledPerson: Recognizer = {
  entity: 'PERSON',
  kind: 'labelled',
  patterns: [
    after(String.raw`(?:[Nn]ame|NAME|[Pp]atient|[Cc]ustomer|[Ee]mployee|[Ss]igned|[Aa]ttn)(?: [Nn]ame)?: {1,8}`, 0.75),
  ],
  validate: (match) => !notNames.test(match) && !isNonName(match) && !isOrdinary(match),
  within: nameOnly,
  invalidInContext: false,
  ...data.labelledPerson,
}

/** Names with initials between the words: `Abby M. Sørensen`. */
export const initialledPerson: Recognizer = {
  entity: 'PERSON',
  patterns: [
    {
      regex: raw.u`(?<![\p{L}\p{N}@_/.-])${word}(?: \p{Lu}\.){1,2} ${particle}${word}(?![\p{L}\p{N}@_/])`,
      score: 0.9,
    },
  ],
  validate: (match) => match.split(/ (?:\p{L}\. )*/u).every((part) => !isOrdinary(part) && !isNonName(part)),
  within: nameOnly,
  invalidInContext: false,
  ...data.initialledPerson,
}

/** The name of a type in code: `class Walker {`, `Walker<T>`. */
const typeOfCode = String.raw`(?<=(?:class|struct|interface|trait|enum|extends|implements|instanceof|record|impl|for) )${word}(?: (?:extends|implements|for) | ?[{<;]|\()|${word}<\p{Lu}[^<>@\s]{0,40}[<>,]`

/** A word that may name a person, rather than a thing named after one. */
const personalWord = String.raw`(?!${word}${eponymSuffix}|${typeOfCode})(?<!${theoremPrefix}|${dishPrefix})${word}`

/** Known given names with the surnames after them. */
export const givenName: Recognizer = {
  entity: 'PERSON',
  patterns: [
    {
      regex: raw.u`(?<![\p{L}\p{N}@_/.-])${personalWord}(?: (?:\p{Lu}\. ){0,2}${particle}${personalWord}){0,5}(?![\p{L}\p{N}@_/])`,
      score: 0.6,
    },
  ],
  within: (match) => {
    let start = 0
    let before = 0
    for (const part of match.split(' ')) {
      const rest = match.slice(start)
      const personName = nameAt(part, rest)
      if (personName !== undefined)
        return {
          start: start - (personName === part && isSurname(part.toLowerCase()) ? before : 0),
          end: start + personName.length,
        }
      before = /\p{Ll}/u.test(part) && mayBeName(part.toLowerCase()) ? part.length + 1 : 0
      start += part.length + 1
    }
    return undefined
  },
  validate: (match) => !works.has(match.toLowerCase()),
  prefixesAreEmptyToo: true,
  invalidInContext: false,
  ...data.givenName,
}

const surnames = raw.u`^\S+(?: (?:\p{Lu}\. ){0,2}${particle}${word}){1,2}`

const nameAt = (firstWord: string, rest: string): string | undefined => {
  const name = firstWord.toLowerCase().replace(/['’]s$/, '')
  const alone = firstWord.slice(0, name.length)
  if (alone === firstWord && givenNamesBeforeSurname.has(name)) {
    const [whole] = surnames.exec(rest) ?? []
    if (whole !== undefined && !notSurnames.test(whole)) return whole.slice(0, nameOnly(whole).end)
  }
  return standaloneGivenNames.has(name) || (isSurname(name) && /\p{Ll}/u.test(alone)) ? alone : undefined
}

/** Endings of names of places and organisations that are named after people. */
const notSurnames =
  / (?:Street|St|Avenue|Ave|Road|Rd|Drive|Lane|Place|Court|Square|Park|Airport|Station|University|College|School|Hospital|Inc|Ltd|LLC|GmbH|Corp|Group|Bank|Company|Foundation|Institute|Prize|Award|Day|Island|County|City|River|Lake|Bridge|Hall|Museum|Stadium|Centre|Center|Hotel|Contributors?|Authors?|Team|Version|Universität|Universitet|I|The)['’]?s?$/u
