import { characters, choice, empty, nothing, repeat, sequence, text } from '../expression.js'
import type { Expression, Range } from '../expression.js'
import { needsNoEscape } from '../patterns/write-automaton.js'
import { boundedRepeat } from '../repetition.js'
import type { Rules } from '../rules.js'

/** A rule for strings with a number of code points. */
export const stringOfLength = (min: number, max: number, rules: Rules): Expression => {
  if (max < min) return nothing
  const character = rules.share('character', 'char', anyCharacter)
  return sequence(text('"'), max === 0 ? empty : boundedRepeat(character.name, min, max, rules), text('"'))
}

const hexadecimal: Range[] = [
  [0x30, 0x39],
  [0x41, 0x46],
  [0x61, 0x66],
]

/** A rule for one code point, plain or escaped. No escape is half of a surrogate pair. */
const anyCharacter = (): Expression => {
  const digit = characters(...hexadecimal)
  const basic = characters([0x30, 0x39], [0x41, 0x43], [0x45, 0x46], [0x61, 0x63], [0x65, 0x66])
  const unicode = choice(
    sequence(basic, repeat(digit, 3, 3)),
    sequence(characters([0x44, 0x44], [0x64, 0x64]), characters([0x30, 0x37]), repeat(digit, 2, 2)),
  )
  const letters = Array.from('"\\/bfnrt', (letter): Range => [letter.charCodeAt(0), letter.charCodeAt(0)])
  return choice(
    characters(...needsNoEscape),
    sequence(text('\\'), choice(characters(...letters), sequence(text('u'), unicode))),
  )
}
