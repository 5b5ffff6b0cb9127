import { canonicalTag } from '../pairs.js'

/** A pair as Apertium calls it: `eng-spa`. */
export interface Mode {
  readonly name: string
  readonly source: string
  readonly target: string
}

/** What Apertium's names of variants mean; others are taken as BCP-47 variants. */
const variants: Readonly<Record<string, string>> = { aran: 'aranes', hbs: 'sh' }

const tagOf = (written: string): string | undefined => {
  const [language = '', ...rest] = written.split('_')
  return canonicalTag([variants[language] ?? language, ...rest.map((part) => variants[part] ?? part)].join('-'))
}

/** The lines of `apertium -l`; of several modes of a pair, the one with the shortest name. */
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
