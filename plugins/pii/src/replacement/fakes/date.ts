import type { Randomness } from '../../random/randomness.js'
import names from './date.json' with { type: 'json' }

/** Names of months and of weekdays. */
const lists = names.map((list) => list.split(' '))

/** Another date in the same format, with days up to 28, which every month has. */
export const fakeDate = (original: string, random: Randomness): string =>
  original.replace(/\d{1,2}:\d{2}(?::\d{2})?|\d+|\p{L}{3,}/gu, (part) => {
    if (part.includes(':')) return timeLike(part, random)
    if (/\d/.test(part)) return numberLike(part, random)
    const list = lists.find((some) => some.includes(part.toLowerCase()))
    const name = list ? random.oneOf(list) : part
    return /^\p{Lu}/u.test(part) ? name.charAt(0).toUpperCase() + name.slice(1) : name
  })

/** `19800102`, `02011980`, `020180` */
const compact = /^(?:((?:19|20)\d{2}(?=\d{4}$)|\d{2})(\d{2})(\d{2}|\d{4}))$/

const padded = (value: number, part: string) =>
  String(value).padStart(part.startsWith('0') || part.length > 2 ? part.length : 1, '0')

const numberLike = (part: string, random: Randomness): string => {
  const value = Number(part)
  if (part.length === 4) return String(1940 + random.below(80))
  const parts = compact.exec(part)?.slice(1)
  if (parts) return parts.map((one) => numberLike(one, random)).join('')
  if (part.length > 2) return Array.from(part, () => random.oneOf('0123456789')).join('')
  if (value > 31) return padded(32 + random.below(68), part)
  // Up to 12 it may be a month.
  const [from, count] = value > 12 ? [13, 16] : value > 9 ? [10, 3] : [1, 9]
  return padded(from + random.below(count), part)
}

const timeLike = (part: string, random: Randomness): string =>
  part
    .split(':')
    .map((value, index) => String(random.below(index ? 60 : Number(value) > 12 ? 24 : 13)).padStart(value.length, '0'))
    .join(':')
