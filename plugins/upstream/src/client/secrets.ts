import { toUSVString } from 'node:util'
import type { UpstreamOptions } from '../options.js'
import { withPort } from './address.js'

type Secrets = Pick<UpstreamOptions, 'apiKey' | 'headers' | 'url'>

/** Replaces secrets in a text. */
export type Redact = (text: string) => string

/** The minimum length of a part of a value that is hidden by itself, such as the token after `Bearer`. */
const minPart = 8

/**
 * Makes a function that hides the secrets of the configuration: the key, the values of headers, and those of the URL's
 * query, however they are escaped. Another server may quote them.
 */
export const secretRedactor = ({ apiKey = '', headers, url }: Secrets): Redact => {
  const values = [apiKey, ...Object.values(headers), ...queryOf(url)].map((value) => value.trim())
  const parts = values.flatMap((value) => value.split(/[\s,;]+/)).filter(({ length }) => length >= minPart)
  const forms = [...values, ...parts].flatMap(formsOf).filter((form) => form !== '')
  if (!forms.length) return (text) => text
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(longestFirst.map(patternOf).join('|'), 'giu')
  return (text) => text.replace(pattern, '[secret]')
}

const queryOf = (url: string | undefined): string[] => {
  const text = withPort(url ?? '', 1)
  return URL.canParse(text) ? [...new URL(text).searchParams.values()] : []
}

const formsOf = (value: string) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(toUSVString(value))]

/** A short value is hidden only where it is a whole word, because it may occur within words by chance. */
const patternOf = (value: string): string => {
  const escaped = value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return value.length < minPart ? `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])` : escaped
}
