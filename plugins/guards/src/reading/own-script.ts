/** Letters of Latin and of another script that look the same. */
const scripts = [
  { letter: /[\u0400-\u04ff]/g, from: 'ABEKMHOPCTYXaeopcyxiI', to: 'АВЕКМНОРСТУХаеорсухіІ' },
  { letter: /[\u0370-\u03ff]/g, from: 'ABEZHIKMNOPTYXovikuapx', to: 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονικυαρχ' },
].map(({ letter, from, to }) => ({ letter, twins: new Map(Array.from(from, (one, at) => [one, to.charAt(at)])) }))

const mixed = /[A-Za-z][\u0370-\u04ff]|[\u0370-\u04ff][A-Za-z]/
const word = /[A-Za-z\u0370-\u04ff]{2,64}/g

/**
 * A text without Latin letters in words that have more letters of another script only: those look like them, or were
 * read as such. It is as long as the text.
 */
export const inOwnScript = (text: string): string =>
  mixed.test(text) ? text.replace(word, (one) => (mixed.test(one) ? unmixed(one) : one)) : text

const unmixed = (word: string): string => {
  for (const { letter, twins } of scripts) {
    const own = word.match(letter)?.length ?? 0
    const latin = word.match(/[A-Za-z]/g)?.filter((one) => !twins.has(one)).length ?? 0
    if (own > latin) return word.replace(/[A-Za-z]/g, (one) => twins.get(one) ?? one)
  }
  return word
}
