/** Distinguishes random values and passwords from words and placeholders. */

/** The Shannon entropy in bits per character. */
export const entropyOf = (value: string): number => {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** Words that replace a value in documentation. */
const placeholder =
  /example|sample|dummy|placeholder|change_?-?me|redacted|replace|insert|your|xxxx|\*\*\*|\.\.\.|…|<|>|\$\{|\{\{|\$\(|#\{|%[sd(]|0{8}|12345678|01234567|abcdefg|deadbeef|secret_?here|not_?-?(?:a_?-?)?real|fake|foobar/i

/** Whether a value is a placeholder: it says so, or repeats a few characters. */
export const isPlaceholder = (value: string): boolean =>
  placeholder.test(value) || new Set(value).size < Math.min(6, value.length / 2)

/** A word. In capitals, it counts only where no capitals or digits are beside it, as keys have capitals, too. */
const wordInValue = /[A-Z]?[a-z]{3,}|(?<![A-Z\d])[A-Z]{3,}(?![A-Z\d])/g
const vowel = /[aeiouy]/i

/** The share of a value's characters that belong to words. */
const wordShare = (value: string): number => {
  let length = 0
  for (const [word] of value.matchAll(wordInValue)) if (vowel.test(word)) length += word.length
  return length / value.length
}

/** Whether a value is made of words, such as `my-app-v2`. @param maxShare the maximum share of words in others */
export const consistsOfWords = (value: string, maxShare = 0.6): boolean =>
  wordShare(value) > maxShare && (value.match(/\d+/g)?.length ?? 0) < 3

const minBits = 3
/** Shorter values do not count as random. */
const minRandomLength = 16

/** Whether a machine has probably generated a value: it has letters and digits, and few words. */
export const isRandom = (value: string): boolean =>
  value.length >= minRandomLength &&
  /\d/.test(value) &&
  /[A-Za-z]/.test(value) &&
  entropyOf(value) >= minBits &&
  !consistsOfWords(value)

const characterClasses = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/]

/** Whether a value may be a person's password. @param minClasses of lower case, upper case, digits and symbols */
export const isPassword = (value: string, minClasses: 2 | 3): boolean =>
  value.length >= 8 &&
  /\d/.test(value) &&
  /[a-z]/i.test(value) &&
  characterClasses.filter((pattern) => pattern.test(value)).length >= minClasses &&
  new Set(value).size >= 6

/** The example of RFC 7617. */
const documentedPair = 'Aladdin:open sesame'

/** Whether a value decodes to the name and password of basic authentication. */
export const isBasicCredential = (value: string): boolean => {
  const pair = Buffer.from(value, 'base64').toString('latin1')
  const [name = '', ...password] = pair.split(':')
  const isText = /^[\x20-\x7e]{6,}$/.test(pair) && name !== '' && password.join(':').length > 2
  return isText && pair !== documentedPair && !isPlaceholder(pair) && !/^(?:user(?:name)?|foo|test):/i.test(pair)
}
