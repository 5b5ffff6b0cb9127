import { cities } from '../words/cities.js'
import { ambiguousCountries, countryNames } from '../words/countries.js'
import { notBeforeBase64, notAfterBase64 } from '../patterns/boundaries.js'
import { wordTrie } from '../patterns/words.js'
import { raw } from '../patterns/raw-regex.js'
import type { Pattern, Recognizer } from './recognizer.js'
import data from './location.json' with { type: 'json' }

export const country: Recognizer = {
  entity: 'LOCATION',
  kind: 'country',
  patterns: [
    {
      regex: raw.iu`(?<![\p{L}\p{N}.-])(?=\p{L})${notAfterBase64}${wordTrie(countryNames)}(?![\p{L}\p{N}])${notBeforeBase64}`,
      score: 0.6,
    },
  ],
  validate: (match) => /\p{Lu}/u.test(match) || !ambiguousCountries.has(match.toLowerCase()),
  invalidInContext: false,
  ...data.country,
}

export const city: Recognizer = {
  entity: 'LOCATION',
  kind: 'city',
  patterns: [
    {
      regex: raw.u`(?<![\p{L}\p{N}.'’-])(?=\p{Lu})${wordTrie(cities)}(?![\p{L}\p{N}]|[-'’]\p{L}{2})`,
      score: 0.6,
    },
  ],
  ...data.city,
}

const word = String.raw`\p{Lu}[\p{L}\p{M}'’.-]{0,30}`
const words = String.raw`${word}(?: (?:(?:de|da|do|dos|das|del|della|des|du|la|le|van|der|den|of|the|el|al|i|y) ){0,2}(?:${word}|\d{1,3}(?:st|nd|rd|th)))`
const street =
  'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Terrace|Way|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Crescent|Close|Trail|Alley|Row|Walk|Mews|Gardens|Grove|Str'
const german =
  'straße|strasse|stasse|str\\.|gasse|weg|platz|allee|ring|damm|ufer|chaussee|laan|straat|gracht|plein|dijk|singel|kade|gatan|vägen|gata|veien|vei|vej|gade|katu|tie|allé|väg|ulica|utca'
const romance =
  'Rue|Avenue|Boulevard|Allée|Chemin|Quai|Impasse|Calle|Avenida|Av\\.|Plaza|Paseo|Camino|Carrer|Via|Viale|Piazza|Corso|Vicolo|Largo|Rua|Travessa|Praça|Estrada|ul\\.|Ulica|ulica|Str\\.|Strada'
const number = String.raw`\d{1,6}[a-zA-Z]?(?:[-/]\d{1,4}[a-zA-Z]?)?`
const notBefore = String.raw`(?<![\p{L}\p{N}'’-]|\p{L}\.|\d[.,])`
const notAfter = String.raw`(?![\p{L}\p{N}])`

const ordinal = String.raw`\d{1,3}(?:st|nd|rd|th)`
const namedStreet = String.raw`(?:\d{1,5} )?(?:(?:[NSEW]|North|South|East|West)\.? )?(?:${ordinal}|${word}(?: ${word}){0,3})`
/** Types that are seldom of anything else: rows, ways and places are. */
const sureType = 'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Parkway|Highway|Hwy'
const sureStreet = String.raw`${namedStreet} (?:${sureType})`
const anyStreet = String.raw`${namedStreet}(?: (?:${sureType}))?`
const crossing = String.raw`\.? ?(?:and|&|/|at) ?`

const pattern = (body: string, score: number, flags = 'u'): Pattern => ({
  regex: new RegExp(notBefore + body + notAfter, flags),
  score,
})

/** Parts of addresses; neighbours are joined. */
export const address: Recognizer = {
  entity: 'LOCATION',
  patterns: [
    pattern(
      String.raw`(?:\d{1,4} )?${number} (?:(?:[NSEW]|North|South|East|West)\.? )?${words}{0,3} (?:${street})\.?`,
      0.8,
    ),
    pattern(
      String.raw`(?:\d{1,4} )?${number} (?:\d{1,3}(?:st|nd|rd|th)|\p{Lu}[\p{L}'’.-]{1,30}) (?:${street})\.?`,
      0.8,
    ),
    pattern(
      String.raw`(?:\d{1,4} )?(?:\p{Lu}[\p{L}\p{M}-]{0,30} ){0,2}(?:\p{Lu}[\p{L}\p{M}-]{1,30}(?:${german})|(?:${german.replaceAll('\\.', '')})) (?!0)${number}`,
      0.75,
    ),
    pattern(
      String.raw`(?:\d{1,4} )?(?:${number},? )?(?:${romance}) (?:(?:de|da|do|des|du|della|del|la|le|l'|al|i) ?){0,3}${words}{0,3}(?:,? ${number})?`,
      0.6,
    ),
    pattern(String.raw`${sureStreet}${crossing}${sureStreet}`, 0.75),
    pattern(String.raw`(?:[Tt]he )?[Cc]orner of ${anyStreet}${crossing}${anyStreet}(?<!\.)`, 0.75),
    pattern(String.raw`(?:suite|apartment|apt|ste|flat)\.? ?#? ?\d{1,5}[a-z]?`, 0.65, 'iu'),
    pattern(
      String.raw`(?:[Ss]uite|SUITE|[Aa]partment|[Aa]pt|APT|Ste)\.? ?#? ?\d{1,5}[a-zA-Z]?(?:,? |,? ?\n ?)${word}(?: ${word}){0,2}`,
      0.6,
    ),
    pattern(String.raw`(?:p\.? ?o\.? ?box|postfach|apartado|boîte postale|postbus)\.? ?#? ?\d{1,8}`, 0.75, 'iu'),
    pattern(String.raw`(?:psc|unit|cmr) \d{1,5},? box \d{1,5}`, 0.8, 'iu'),
    pattern(String.raw`(?:apo|fpo|dpo),? a[aep] \d{5}(?:-\d{4})?`, 0.85, 'iu'),
    pattern(String.raw`(?:uss|usns|uscgc|usnv) \p{L}{2,20}(?=\s{1,3}fpo )`, 0.7, 'iu'),
    pattern(String.raw`\p{Lu}[\p{L}'’.-]{1,30}(?: \p{Lu}[\p{L}'’.-]{1,30}){0,2}, [A-Z]{2} \d{5}(?:-\d{4})?`, 0.8),
    pattern(
      String.raw`${notAfterBase64}(?:GIR ?0AA|[A-PR-UWYZ][A-HK-Y]?\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2})${notBeforeBase64}`,
      0.65,
    ),
  ],
  ...data.address,
}

export const zipCode: Recognizer = {
  entity: 'LOCATION',
  patterns: [
    {
      regex:
        /(?<![\p{L}\p{N}])(?<lead>(?:zip|postal|post)(?: ?code)?(?: is|:)? ?)[a-z\d]{2,5}(?:[ -][a-z\d]{3,4})?(?![\p{L}\p{N}])/iu,
      score: 0.75,
    },
  ],
  validate: (match) => /\d.*\d/.test(match),
  invalidInContext: false,
  ...data.zipCode,
}
