import type { LocaleDefinition } from '@faker-js/faker'
import { countryNames } from './countries.js'
import { english, locales } from './locales.js'

/** Names that are more often something else where they have a capital: words, months, places, titles. */
const ambiguous =
  'german roman french dutch english irish scottish florida missouri tennessee nevada alabama maryland delaware arizona colorado green grey gray white black brown blue scarlet queen price guy baby sister brother mother father son doctor nurse anal toy deep play bay mac flora genesis ebony ivory coral legend truth story memory liberty freedom honor glory promise miracle treasure diamond crown forrest lake shore field fields woods hill hills marsh wells banks rivers parks holiday noel easter friday sunday monday tuesday spirit soul mind lord messiah saint santa name will mark may april june august art bill rich drew grant grace hope faith joy rose lily ivy iris daisy violet ruby amber pearl jade crystal ginger olive sage basil rosemary heather holly hazel autumn summer dawn eve star sky skye ocean river brook forest cliff glen dale heath ash rowan chase hunter archer cooper carter taylor tyler parker porter potter spencer page paige chance justice patience prudence constance charity mercy verity serenity harmony melody carol candy cherry penny rusty sandy sunny buddy junior king prince princess royal major general colonel duke earl baron reverend deacon dean bishop christian jordan georgia chad israel kenya india china asia america africa paris london sydney austin houston dallas denver madison lincoln jackson charlotte florence victoria savannah carolina virginia dakota montana phoenix orlando santiago milan vienna valencia siena trinity lourdes jesus angel angels lord god dolores mercedes lexus ford chevy van vance pat gene buck buster rocky stone jewel gay golden precious unique keen trace dash ace blaze storm sol mars luna normal forma ali an as at do he in is it me my no of on or so to up us we per pro max min mon tue wed thu fri sat sun jan feb apr jun jul aug sep oct nov dec even still here there then bas her his him its mo bo al ed cash cruise dock east west north south gust lane loyal maverick miller noble oral pink ransom reason reed ward webster wilder winter willow wren zion case merit land love'

const words: ReadonlySet<string> = new Set(
  [
    ...Object.values(english.word ?? {})
      .flat()
      .map(String),
    ...ambiguous.split(' '),
  ].map((word) => word.toLowerCase()),
)
const places = new Set(
  [...(english.location?.city_name ?? []), ...(english.location?.state ?? []), ...countryNames].map((name) =>
    name.toLowerCase(),
  ),
)

const namesOf = ({ person }: LocaleDefinition): string[] =>
  [person?.first_name?.generic, person?.first_name?.female, person?.first_name?.male]
    .flatMap((names) => names ?? [])
    .map((name) => name.toLowerCase())
    .filter((name) => name.length > 2 && !words.has(name) && !places.has(name))

/** Enough to be one when alone; in lower case. */
export const commonNames: ReadonlySet<string> = new Set(namesOf(english))

/** With a surname behind them. */
export const knownNames: ReadonlySet<string> = new Set(locales.flatMap(namesOf))
