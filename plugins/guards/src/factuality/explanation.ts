import type { Differences } from './features.js'
import type { Judged } from './judged.js'

/** Claims that are told of one by one. */
const most = 5

const reasons: Readonly<Record<keyof Differences, string>> = {
  number: 'a number',
  name: 'a name',
  date: 'a date',
  negation: 'a negation',
  opposite: 'a word with the opposite meaning',
}

/** For a person; quotes nothing of the text or the reference. */
export const explanationOf = (judged: readonly Judged[]): string => {
  const bad = [...judged.entries()].filter(([, { score }]) => score >= 0.5)
  if (judged.length === 0) return 'the text makes no claim'
  if (bad.length === 0)
    return judged
      .map((one, index) => supported(one, index))
      .slice(0, most)
      .join('; ')
  const told = bad.slice(0, most).map(([index, one]) => unsupported(one, index))
  const rest = bad.length > most ? [`and ${bad.length - most} more`] : []
  return [...told, ...rest].join('; ')
}

const supported = ({ comparison }: Judged, index: number): string =>
  `claim ${index + 1} is supported by ${sentences(comparison.support)}`

const unsupported = ({ comparison: { differences, support } }: Judged, index: number): string => {
  const others = Object.entries(reasons).flatMap(([key, name]) => (differences[key as keyof Differences] ? [name] : []))
  const why = others.length > 0 ? `, which does not have ${others.join(' or ')} of it` : ''
  return `claim ${index + 1} is not supported: nearest to it is ${sentences(support)}${why}`
}

const sentences = (support: readonly number[]): string => {
  const places = support.map((index) => index + 1).sort((a, b) => a - b)
  if (places.length === 0) return 'no sentence of the text to agree with'
  return `${places.length > 1 ? 'sentences' : 'sentence'} ${places.join(' and ')} of the text to agree with`
}
