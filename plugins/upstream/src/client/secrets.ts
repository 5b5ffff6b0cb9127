import { toUSVString } from 'node:util'
import type { UpstreamOptions } from '../options.js'
import { withPort } from './address.js'

/** Takes secrets out of a text. */
export type Hide = (text: string) => string

/** Parts of a value that are as secret as the whole: what follows `Bearer`. */
const minPart = 8

/**
 * Hides what the configuration keeps secret: the key, the values of headers, and those of the URL's query, however
 * they are escaped. Another server may quote them.
 */
export const hideSecrets = ({ apiKey, headers, url }: Pick<UpstreamOptions, 'apiKey' | 'headers' | 'url'>): Hide => {
  const values = [apiKey ?? '', ...Object.values(headers), ...queryOf(url)].map((value) => value.trim())
  const parts = values.flatMap((value) => value.split(/[\s,;]+/)).filter(({ length }) => length >= minPart)
  const forms = [...values, ...parts].flatMap(escapedForms).filter((form) => form !== '')
  if (!forms.length) return (text) => text
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(longestFirst.map(patternOf).join('|'), 'giu')
  return (text) => text.replace(pattern, '[secret]')
}

const queryOf = (url: string | undefined): string[] => {
  const text = withPort(url ?? '', 1)
  return URL.canParse(text) ? [...new URL(text).searchParams.values()] : []
}

const escapedForms = (value: string): string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(toUSVString(value)),
]

/** A short value is hidden where it is a word of its own: in words it stands by chance. */
const patternOf = (value: string): string => {
  const escaped = value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return value.length < minPart ? `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])` : escaped
}
