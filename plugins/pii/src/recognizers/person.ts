import { dishBefore, theoremBefore, thingBehind } from './data/called-after.js'
import { commonNames, knownNames } from './data/given-names.js'
import { works } from './data/works.js'
import { isCommon } from '../model/common-words.js'
import { isKnownName } from '../model/known-names.js'
import { isNoName } from '../model/no-names.js'
import type { Recognizer } from './recognizer.js'

const word = String.raw`\p{Lu}[\p{L}\p{M}'’-]{1,30}`
const particle = String.raw`(?:(?:de|da|del|della|di|du|van|von|der|den|bin|al|el|la|le|y|zu) ){0,2}`
const name = String.raw`${word}(?: (?:\p{Lu}\. )?${particle}${word}){0,2}`
const titles =
  'Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Doctor|Sir|Madam|Herr|Frau|Monsieur|Madame|Mme|Mlle|Señor|Señora|Sr|Sra|Don|Doña|Signor|Signora|Rev|Reverend|Judge|Senator|Captain|Capt|Lieutenant|Sergeant|Colonel'

const after = (lead: string, score: number) => ({
  regex: new RegExp(String.raw`(?<![\p{L}\p{N}])(?<lead>${lead})${name}`, 'u'),
  score,
})

/** `Zoe Quux’s House` is no name, but begins with one. */
const withoutPossessive = (match: string): { start: number; end: number } => {
  const end = match.search(/['’]s(?!\p{L})/u)
  return { start: 0, end: end > 0 ? end : match.length }
}

/** What tells a name without knowing any. */
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
    after(
      String.raw`(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir) (?:wife|husband|son|daughter|brother|sister|mother|father|aunt|uncle|cousin|nephew|niece|friend|girlfriend|boyfriend|fiancée?|boss|colleague|neighbou?r|doctor|lawyer),? `,
      0.65,
    ),
    after(String.raw`(?:[Dd]irected by|(?:[Cc]o-?)?[Ss]tarring) `, 0.6),
  ],
  validate: (match) => !notNames.test(match),
  within: withoutPossessive,
  invalidInContext: false,
  examples: [
    'Dr. [Gregory House]',
    'my name is [Jane van der Berg]',
    'Me llamo [Lucía Pérez]',
    'Dear [Olivia]',
    'my brother [Rasmus Quist] and',
    "her friend [Ilse]'s House",
    'a film starring [Anouk]',
  ],
  counterExamples: [
    'dr. who knows',
    'the name is long',
    'Dear Sir',
    'Dear Customer',
    'This is London calling',
    'Mr. ',
    'Dear Hiring Manager',
    'my friend and I',
    'my doctor. The rest',
  ],
}

/** Words with a capital that follow, and are no names. */
const notNames =
  /^(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Doctor|Name|Address|Sir|Madam|Sirs|All|Team|Customer|Colleagues|Friends?|Hiring|Valued|Members?|Support|God|Lord|London|Paris|The|A|An|My|Your|Our|It|Not|Just|What|How|Why|Where|Part|Diary|Santa|Quixote)(?![\p{L}])/u

/** `name: Build`, `name: Postgres` */
const isOfThing = (match: string): boolean =>
  isNoName(match) || (match.toLowerCase().match(/\p{L}+/gu) ?? []).every((part) => isCommon(part) && !isKnownName(part))

/** Behind a label, which things have, too. */
export const labelledPerson: Recognizer = {
  entity: 'PERSON',
  kind: 'labelled',
  patterns: [
    after(String.raw`(?:[Nn]ame|NAME|[Pp]atient|[Cc]ustomer|[Ee]mployee|[Ss]igned|[Aa]ttn)(?: [Nn]ame)?: {1,8}`, 0.75),
  ],
  validate: (match) => !notNames.test(match) && !isOfThing(match),
  within: withoutPossessive,
  invalidInContext: false,
  examples: ['Name:    [Patricia Sleutjes]', 'name: [Will Smith]', 'Customer: [Baker]'],
  counterExamples: ['name: Build', 'name: Postgres', 'name: Set up', 'Name: Sir'],
}

/** `class Walker {`, `Walker<T>` */
const typeOfCode = String.raw`(?<=(?:class|struct|interface|trait|enum|extends|implements|instanceof|record|impl|for) )${word}(?: (?:extends|implements|for) | ?[{<;]|\()|${word}<\p{Lu}[^<>@\s]{0,40}[<>,]`

/** A word that names somebody, and nothing that is called after somebody. */
const own = String.raw`(?!${word}${thingBehind}|${typeOfCode})(?<!${theoremBefore}|${dishBefore})${word}`

/** A given name that is known, and the words with capitals behind it. */
export const givenName: Recognizer = {
  entity: 'PERSON',
  patterns: [
    {
      regex: new RegExp(
        String.raw`(?<![\p{L}\p{N}@_/.-])${own}(?: (?:\p{Lu}\. )?${particle}${own}){0,5}(?![\p{L}\p{N}@_/])`,
        'u',
      ),
      score: 0.6,
    },
  ],
  within: (match) => {
    let start = 0
    for (const part of match.split(' ')) {
      const rest = match.slice(start)
      const found = nameAt(part, rest)
      if (found !== undefined) return { start, end: start + found.length }
      start += part.length + 1
    }
    return undefined
  },
  validate: (match) => !works.has(match.toLowerCase()),
  shrinksToNothing: true,
  invalidInContext: false,
  examples: [
    'Yesterday [Jonathan Alatalo] came',
    'said [Jessica] to him',
    "[Jonathan Alatalo]'s Avatar",
    'Frau [Ingrid Müller]',
    '[Olivia]’s book',
    'ask [Calvin] about the cycle',
    '[Calvin] cycles to work',
    '[Miranda Hobbes] warned us',
    'the eggs of [Benedict]',
    'the class [Olivia] attends',
    '[Olivia]<br>',
    '[Olivia]<olivia@acme.com>',
    'la carta de [Olivia]',
  ],
  counterExamples: [
    'Mark this day',
    'Will you come',
    'Grant Access',
    'May I',
    'Main Street',
    'Art Museum',
    'Sydney is large',
    'the Calvin cycle',
    'before the Mona Lisa',
    'Explain the Nash equilibrium',
    "Murphy's law",
    'Serve with Caesar salad.',
    'a Miranda warning',
    'Eggs Benedict',
    'la ley de Murphy',
    'impl Iterator for Walker<T>',
    'class Jasmine extends Base',
    'struct Walker {',
  ],
}

const surnames = new RegExp(String.raw`^\S+(?: (?:\p{Lu}\. )?${particle}${word}){1,2}`, 'u')

const nameAt = (given: string, rest: string): string | undefined => {
  const name = given.toLowerCase().replace(/['’]s$/, '')
  const alone = given.slice(0, name.length)
  if (alone === given && knownNames.has(name)) {
    const [whole] = surnames.exec(rest) ?? []
    if (whole !== undefined && !notSurnames.test(whole)) return whole.slice(0, withoutPossessive(whole).end)
  }
  return commonNames.has(name) ? alone : undefined
}

/** What follows a name that somebody or something else is named after. */
const notSurnames =
  / (?:Street|St|Avenue|Ave|Road|Rd|Drive|Lane|Place|Court|Square|Park|Airport|Station|University|College|School|Hospital|Inc|Ltd|LLC|GmbH|Corp|Group|Bank|Company|Foundation|Institute|Prize|Award|Day|Island|County|City|River|Lake|Bridge|Hall|Museum|Stadium|Centre|Center|Hotel|I|The)['’]?s?$/u
