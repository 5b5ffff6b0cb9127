import { isSureDomain } from './data/domains.js'
import type { Pattern } from './recognizer.js'

/** Ends of domains that no sentence begins with. */
const ends = new Set('com org net edu gov de fr uk nl ch eu ca au jp cn ru pl cz dk fi br'.split(' '))

const word = String.raw`[\p{L}\p{N}][\p{L}\p{N}-]{0,62}`
const stop = String.raw` ?\. `

/**
 * As tokenizers of words write it, with blanks around its signs or behind them: `jane . miller @ acme. com`. Before the
 * sign, a stop with a blank only behind it ends a sentence: a stream is cut there.
 */
export const pieced = `(?:${word} [._] ){0,3}${word} @ ${word}(?:${stop}${word}){1,4}`

export const piecedMail: NonNullable<Pattern['within']> = (match) => {
  const at = match.indexOf(' @ ')
  const labels = [...match.slice(at).matchAll(/[^\s.@]+/g)]
  const last = labels.findLastIndex(({ 0: label }, index) => index > 0 && ends.has(label))
  const end = labels[last]
  return end && { start: 0, end: at + end.index + end[0].length }
}

/** With its sign twice, or at the begin of the next cell: `jane.miller | @acme.com`. */
export const parted = String.raw`(?:@{2,3}| {0,16}\| {0,16}@)`
const parts = new RegExp(`^(?<local>.*?)${parted}(?<domain>.*)$`, 's')
const telling = /\p{L}.*[\d._%+]|[\d._%+].*\p{L}/u

export const partedMail: NonNullable<Pattern['within']> = (match) => {
  const { local = '', domain = '' } = parts.exec(match)?.groups ?? {}
  const isOne = telling.test(local) && /[\p{L}\p{N}]$/u.test(local) && isSureDomain(domain)
  return isOne ? { start: 0, end: match.length } : undefined
}
