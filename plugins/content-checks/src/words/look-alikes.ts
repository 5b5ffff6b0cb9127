/** Words that are written in letters of another script, each of which looks like one of theirs. */

import { foldedWord } from './folded.js'

/** By what they look like: small letters and capitals, of which some look like another letter than the small one. */
const alphabets = [
  { a: 'а', c: 'с', d: 'ԁ', e: 'е', h: 'һ', i: 'і', j: 'ј', o: 'о', p: 'р', q: 'ԛ', s: 'ѕ', w: 'ԝ', x: 'х', y: 'у' },
  {
    a: 'А',
    b: 'В',
    c: 'С',
    e: 'Е',
    h: 'Н',
    i: 'І',
    j: 'Ј',
    k: 'К',
    m: 'М',
    o: 'О',
    p: 'Р',
    s: 'Ѕ',
    t: 'Т',
    x: 'Х',
    y: 'У',
  },
  { a: 'Α', b: 'Β', e: 'Ε', h: 'Η', i: 'Ι', k: 'Κ', m: 'Μ', n: 'Ν', o: 'Ο', p: 'Ρ', t: 'Τ', x: 'Χ', y: 'Υ', z: 'Ζ' },
].map((letters) => new Map(Object.entries(letters).map(([latin, other]) => [latin, foldedWord(other)])))

/** The other ways to write a folded word: a text that has nothing but such letters is not known to be Latin. */
export const lookAlikesOf = (word: string): readonly string[] =>
  alphabets.flatMap((alphabet) => {
    let written = ''
    for (const letter of word) {
      const other = letter === ' ' ? letter : alphabet.get(letter)
      if (other === undefined) return []
      written += other
    }
    return [written]
  })
