/** Top-level domains that a name without `https://` may end with. */

import data from './domains.json' with { type: 'json' }
import { wordsOf } from './lists.js'

/** Without domains of countries that usually end the name of a file, or are words that may follow a sentence without a space. */
const all: ReadonlySet<string> = new Set(wordsOf(data.countries, data.generic))

export const isTopLevelDomain = (label: string): boolean => all.has(label.toLowerCase())

/** A name that ends with these is one without anything else that tells it: `is.it` may be a sentence. */
const sure = new Set(wordsOf(data.generic).filter((label) => label.length === 3 || label === 'info'))

export const isSureDomain = (name: string): boolean => {
  const labels = name.split('.')
  const last = labels.at(-1)?.toLowerCase() ?? ''
  return sure.has(last) || (all.has(last) && (labels.length > 2 || /^www$/i.test(labels[0] ?? '') || last === 'io'))
}
