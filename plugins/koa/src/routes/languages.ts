/** Languages as people write them: ISO 639-1 and 639-3, BCP-47 tags, English names. */

import { invalidField } from '../invalid-field.js'
import { opaque } from '../schemas/common.js'

export const language = {
  ...opaque('must be the name of a language, of which the model gets the tag'),
  description: 'ISO 639-1 or 639-3 code, BCP-47 tag or English name',
  examples: ['de', 'German'],
} as const

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
const letters = Array.from('abcdefghijklmnopqrstuvwxyz')

/** Languages with a three-letter code only that are known by name, too: trying every code would take a second. */
const threeLetterCodes = ['ast', 'ceb', 'chr', 'ckb', 'fil', 'gsw', 'haw', 'hmn', 'kab', 'nds', 'sat', 'scn', 'yue']

/** Codes by English names, made when first needed; some are not canonical. */
const byName = (): ReadonlyMap<string, string> => (cachedNames ??= buildNames())
let cachedNames: ReadonlyMap<string, string> | undefined

const buildNames = (): ReadonlyMap<string, string> => {
  const pairs = letters.flatMap((first) => letters.map((second) => first + second))
  const named = [...pairs, ...threeLetterCodes].flatMap((code) => {
    const name = names.of(code)
    return name === undefined ? [] : [[name.toLowerCase(), code] as const]
  })
  return new Map([...named.reverse(), ['tagalog', 'tl']])
}

/** The canonical BCP-47 tag. @throws invalid_request where the text is not a language */
export const requireLanguage = (name: string, field: string): string => {
  const tag = languageTag(name)
  if (tag !== undefined) return tag
  throw invalidField(field, 'must be a language: an ISO 639 code, a BCP-47 tag or an English name such as "German"')
}

/** The canonical BCP-47 tag; undefined where the text is not a language. */
export const languageTag = (name: string): string | undefined => {
  const text = name.trim().replaceAll('_', '-')
  return canonical(text) ?? canonical(byName().get(text.toLowerCase()) ?? '')
}

const canonical = (text: string): string | undefined => {
  if (!/^[A-Za-z]{2,3}(?:-[A-Za-z\d]{1,8})*$/.test(text)) return undefined
  try {
    const [tag] = Intl.getCanonicalLocales(text)
    const language = tag?.split('-')[0]
    return language !== undefined && names.of(language) !== undefined ? tag : undefined
  } catch {
    return undefined
  }
}
