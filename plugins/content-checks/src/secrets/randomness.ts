/** Whether a value looks made by a machine or chosen as a password, or is one that stands for another. */

/** Bits for a character, by how often each one stands in the value. */
export const entropyOf = (value: string): number => {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** Words of documents in the place of values. */
const standIn =
  /example|sample|dummy|placeholder|change_?-?me|redacted|replace|insert|your|xxxx|\*\*\*|\.\.\.|…|<|>|\$\{|\{\{|\$\(|#\{|%[sd(]|0{8}|12345678|01234567|abcdefg|deadbeef|secret_?here|not_?-?(?:a_?-?)?real|fake|foobar/i

/** Whether a value says that it is none, or repeats a few characters. */
export const isStandIn = (value: string): boolean =>
  standIn.test(value) || new Set(value).size < Math.min(6, value.length / 2)

/** A word in capitals counts only between other signs: keys are made of capitals, too. */
const writtenWord = /[A-Z]?[a-z]{3,}|(?<![A-Z\d])[A-Z]{3,}(?![A-Z\d])/g
const vowel = /[aeiouy]/i

/** The part of a value that words take. */
const partInWords = (value: string): number => {
  let length = 0
  for (const [word] of value.matchAll(writtenWord)) if (vowel.test(word)) length += word.length
  return length / value.length
}

const groupsOfDigits = (value: string): number => value.match(/\d+/g)?.length ?? 0

/** Names are made of words, with a number at their end: `my-app-v2`. @param part of the value that is too much */
export const saysWords = (value: string, part = 0.6): boolean => partInWords(value) > part && groupsOfDigits(value) < 3

const minBits = 3
/** Characters from which on a value that is no password may be random. */
const shortest = 16

/** Whether a machine has made it: letters and digits without words. */
export const isRandom = (value: string): boolean =>
  value.length >= shortest &&
  /\d/.test(value) &&
  /[A-Za-z]/.test(value) &&
  entropyOf(value) >= minBits &&
  !saysWords(value)

const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/]

/** Whether a person may have chosen it as a password: letters and digits, and so many kinds of characters. */
export const isPassword = (value: string, least: 2 | 3): boolean =>
  value.length >= 8 &&
  /\d/.test(value) &&
  /[a-z]/i.test(value) &&
  kinds.filter((kind) => kind.test(value)).length >= least &&
  new Set(value).size >= 6

/** The example of RFC 7617. */
const knownPair = 'Aladdin:open sesame'

/** Whether a value is a name and a password in base64, as basic authentication has them. */
export const isDecodedPair = (value: string): boolean => {
  const pair = Buffer.from(value, 'base64').toString('latin1')
  const [name = '', ...password] = pair.split(':')
  const isText = /^[\x20-\x7e]{6,}$/.test(pair) && name !== '' && password.join(':').length > 2
  return isText && pair !== knownPair && !isStandIn(pair) && !/^(?:user(?:name)?|foo|test):/i.test(pair)
}
