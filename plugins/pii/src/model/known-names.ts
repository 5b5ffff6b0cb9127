import type { LocaleDefinition } from '@faker-js/faker'
import { cities } from '../recognizers/data/cities.js'
import { locales } from '../recognizers/data/locales.js'

const namesOf = ({ person, location }: LocaleDefinition): string[] =>
  [
    ...[person?.first_name, person?.last_name].flatMap((names) => [names?.generic, names?.female, names?.male]),
    location?.city_name,
    location?.state,
  ]
    .flatMap((names) => names ?? [])
    .filter((name) => !name.includes(' '))

/** Frequent surnames that are words. */
const surnames =
  'Abbott Baker Ball Banks Barber Bell Berry Best Bird Bishop Black Bond Bowman Branch Bridges Brooks Brown Bush Butcher Butler Cannon Carpenter Carter Case Cash Chambers Chance Chase Church Cook Cooper Cross Crow Curry Dale Day Dean Drake Duke Earl Farmer Field Fields Finch Fisher Flowers Ford Forest Foster Fox Frank Frost Fry Gates Glass Gold Golden Good Grant Graves Gray Green Grey Hall Hand Harper Hart Hawk Hill Holder Holmes House Hunt Hunter Joy Judge Key King Kitchen Knight Lake Lamb Lane Law Little Lock London Long Lord Love Major Mann Mark Marks Marsh Mason Mercer Mills Moody Moon Moss Noble North Page Painter Palmer Park Parker Parks Pearl Piper Pope Porter Potter Pound Power Powers Price Prince Quick Reed Rice Rich Rivers Rock Rose Rush Sage Savage Sawyer Sharp Shepherd Short Silver Singer Small Smith Snow Spears Spring Steel Stone Street Strong Summers Swan Sweet Tailor Tanner Taylor Temple Turner Tyler Underwood Walker Wall Ward Waters Weaver Wells West White Wise Wolf Wood Woods Workman Wright Young'

const names: ReadonlySet<string> = new Set(
  locales
    .flatMap(namesOf)
    .concat(cities, surnames.split(' '))
    .map((name) => name.toLowerCase()),
)

/** Whether a word, in lower case, is a name of persons or a place, whatever else it is. */
export const isKnownName = (word: string): boolean => names.has(word)
