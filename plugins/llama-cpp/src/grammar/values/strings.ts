import { characters, choice, empty, nothing, repeat, sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import { codePointsOf } from '../patterns/code-points.js'
import { needsNoEscape } from '../patterns/write-automaton.js'
import { boundedRepeat } from '../repetition.js'
import type { Rules } from '../rules.js'

/** A rule for strings with a number of code points. */
export const stringOfLength = (min: number, max: number, rules: Rules): Expression => {
  if (max < min) return nothing
  const character = rules.share('character', 'char', jsonCharacter)
  return sequence(text('"'), max === 0 ? empty : boundedRepeat(character.name, min, max, rules), text('"'))
}

/** A rule for one code point, plain or escaped. No escape is half of a surrogate pair. */
const jsonCharacter = (): Expression => {
  const digit = oneOf('0123456789ABCDEFabcdef')
  const unicode = choice(
    sequence(oneOf('0123456789ABCEFabcef'), repeat(digit, 3, 3)),
    sequence(oneOf('Dd'), oneOf('01234567'), repeat(digit, 2, 2)),
  )
  const escape = choice(oneOf('"\\/bfnrt'), sequence(text('u'), unicode))
  return choice(characters(...needsNoEscape), sequence(text('\\'), escape))
}

const oneOf = (all: string): Expression => characters(...codePointsOf(all))
