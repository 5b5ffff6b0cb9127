/** Names of countries, by the tables of the runtime. */

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))

/** No countries, or names of something else more often. */
const left = new Set([
  'EU',
  'EZ',
  'UN',
  'XA',
  'XB',
  'ZZ',
  'QO',
  'AC',
  'DG',
  'EA',
  'IC',
  'TA',
  'CP',
  'CQ',
  'SU',
  'DD',
  'FX',
])

const also =
  'USA|U.S.A.|U.S.|United States of America|UK|U.K.|England|Scotland|Wales|Northern Ireland|Great Britain|Britain|Holland|Czech Republic|Burma|Ivory Coast|Macedonia|Swaziland|East Timor|Cape Verde|Vatican|Palestine|Bosnia|Hong Kong|Macao|Taiwan|South Korea|North Korea|Republic of Korea|Korea|Democratic Republic of the Congo|Republic of the Congo|Congo|Russian Federation|Syrian Arab Republic|Viet Nam|Antigua and Barbuda|Saint Kitts and Nevis|Saint Lucia|Saint Vincent and the Grenadines|Sao Tome and Principe|Trinidad and Tobago|Turks and Caicos Islands|Bosnia and Herzegovina|Saint Pierre and Miquelon|Antarctica (the territory South of 60 deg S)|Libyan Arab Jamahiriya|Cocos (Keeling) Islands|Falkland Islands|Curacao|Reunion|Turkey|Brunei Darussalam|Federated States of Micronesia|Islamic Republic of Iran|Plurinational State of Bolivia|Bolivarian Republic of Venezuela|United Republic of Tanzania|Republic of Ireland|People’s Republic of China|United States of America|Lao People’s Democratic Republic|Republic of Moldova'

const names = (): string[] => {
  const inEnglish = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => !left.has(code))
  const regions = codes.flatMap((code) => inEnglish.of(code)?.replace(/^St\. /, 'Saint ') ?? [])
  return [...regions, ...also.split('|')].flatMap((name) => [
    name,
    ...(name.includes(' & ') ? [name.replace(' & ', ' and ')] : []),
    ...(/\(.*\)$/.test(name) ? [name.replace(/ \(.*\)$/, '')] : []),
  ])
}

/** Longest first. */
export const countryNames: readonly string[] = [...new Set(names())].sort((a, b) => b.length - a.length)

/** Words of the language, or names of people, when they are not written as names of countries. */
export const ambiguousCountries = new Set([
  'chad',
  'china',
  'turkey',
  'jordan',
  'georgia',
  'guinea',
  'mali',
  'niger',
  'cuba',
  'us',
  'uk',
  'jersey',
  'israel',
  'india',
  'kenya',
  'monaco',
  'dominica',
  'britain',
  'holland',
  'wales',
  'u.s.',
  'u.k.',
  'reunion',
])

const known = new Set(countryNames.map((name) => name.toLowerCase()))

/** Whether a text is the name of a country, and of nothing else. */
export const isCountry = (text: string): boolean =>
  known.has(text.toLowerCase()) && !ambiguousCountries.has(text.toLowerCase())
