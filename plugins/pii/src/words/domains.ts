import data from './domains.json' with { type: 'json' }
import { wordsOf } from './lists.js'

/** The list omits country domains that usually are file extensions, or words after a missing space. */
const all: ReadonlySet<string> = new Set(wordsOf(data.countries, data.generic))

export const isTopLevelDomain = (label: string): boolean => all.has(label.toLowerCase())

/** A name with one of these is surely a domain, while `is.it` may be a sentence. */
const sure = new Set(wordsOf(data.generic).filter((label) => label.length === 3 || label === 'info'))

export const isSureDomain = (name: string): boolean => {
  const labels = name.split('.')
  const last = labels.at(-1)?.toLowerCase() ?? ''
  return sure.has(last) || (all.has(last) && (labels.length > 2 || /^www$/i.test(labels[0] ?? '') || last === 'io'))
}
