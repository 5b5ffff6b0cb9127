import { isIPv4 } from 'node:net'
import type { Randomness } from '../../random/randomness.js'
import { fill } from './fill.js'
import { seededFaker } from './faker.js'

/** The networks for documentation of RFC 5737. */
const documentation = ['192.0.2', '198.51.100', '203.0.113']

const group = (random: Randomness) => random.below(0x10000).toString(16)

/** `192[.]0[.]2[.]1` without its brackets. */
export const plainIp = (text: string): string => text.replace(/\[\.\]|\(\.\)/g, '.')

export const fakeIp = (original: string, random: Randomness): string => {
  const dots = original.match(/\[\.\]|\(\.\)|\./g) ?? []
  const fake = fakePlainIp(plainIp(original), random)
  return plainIp(original) === original ? fake : fake.replaceAll('.', () => dots.shift() ?? '.')
}

const fakePlainIp = (original: string, random: Randomness): string => {
  const [, address = '', rest = ''] = /^([^/%]*)(.*)$/s.exec(original) ?? []
  if (isIPv4(address)) return `${random.oneOf(documentation)}.${1 + random.below(254)}${rest}`
  return `2001:db8::${group(random)}:${group(random)}${rest.replace(/^%[^/]*/, '')}`
}

/** RFC 7042 reserves 00-00-5E-00-53-00 to FF for documents. */
export const fakeMac = (original: string, random: Randomness): string => {
  const digits = `00005e0053${random.below(256).toString(16).padStart(2, '0')}`.padEnd(original.length, '0')
  return fill(original, /[a-f\d]/gi, /[A-F]/.test(original) ? digits.toUpperCase() : digits)
}

export const fakeUrl = (original: string, random: Randomness): string => {
  const faker = seededFaker(random)
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(original)?.[0] ?? ''
  const www = /^(?:[a-z]+:\/\/)?www\./i.test(original) ? 'www.' : ''
  const host = `${www}${faker.lorem.slug(2)}.example.${random.oneOf(['com', 'org', 'net'])}`
  const path = /[^/:]\/./.test(original.slice(scheme.length)) ? `/${faker.lorem.slug(2)}` : ''
  return scheme + host + path
}
