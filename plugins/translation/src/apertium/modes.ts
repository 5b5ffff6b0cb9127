import type { LanguagePair } from '@sallyport/core'
import { canonicalTag } from '../pairs.js'

/** A pair, with Apertium's name for it: `eng-spa`. */
export interface Mode extends LanguagePair {
  readonly name: string
}

/** BCP-47 subtags for Apertium's own codes; its other codes are valid subtags. */
const variants: Readonly<Record<string, string>> = { aran: 'aranes', hbs: 'sh' }

const tagOf = (written: string): string | undefined => {
  const [language = '', ...rest] = written.split('_')
  return canonicalTag([variants[language] ?? language, ...rest.map((part) => variants[part] ?? part)].join('-'))
}

/** Parses the output of `apertium -l`. Of several modes of a pair, the one with the shortest name is taken. */
export const modesIn = (listing: string): Mode[] => {
  const modes = new Map<string, Mode>()
  for (const name of listing.split('\n').map((line) => line.trim())) {
    const [from = '', to = '', ...rest] = name.split('-')
    const [source, target] = [tagOf(from), tagOf(to)]
    if (rest.length > 0 || source === undefined || target === undefined || source === target) continue
    const known = modes.get(`${source} ${target}`)
    if (!known || name.length < known.name.length) modes.set(`${source} ${target}`, { name, source, target })
  }
  return [...modes.values()]
}
