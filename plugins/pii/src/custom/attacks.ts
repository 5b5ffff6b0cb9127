import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { Randomness } from '../replacement/randomness.js'
import { sample } from '../replacement/fakes/sample.js'

/** Makes a text of so many characters. */
export type Attack = (length: number) => string

const filled =
  (before: string, part: string, after: string): Attack =>
  (length) =>
    before + part.repeat(Math.ceil(length / part.length)) + after

const parser = new RegExpParser({ ecmaVersion: 2024 })

/** Texts that repeat what a pattern repeats, and then do not fit. */
export const attacksOn = (regex: RegExp): Attack[] => {
  const random = new Randomness(Buffer.from('attacks'), regex.source)
  const flags = regex.flags.replace(/[gy]/g, '')
  const parts = new Set<string>([' ', '0', 'a', 'A', '1 ', 'a.', 'Aa ', '-', '@'])
  visitRegExpAST(parser.parsePattern(regex.source, undefined, undefined, { unicode: true }), {
    onQuantifierEnter: ({ element }) => {
      for (let times = 0; times < 2; times += 1) parts.add(sample(new RegExp(element.raw, flags), random))
    },
  })
  for (let times = 0; times < 2; times += 1) parts.add(sample(regex, random))
  return [...parts]
    .filter((part) => part.length > 0)
    .flatMap((part) => [
      filled('', part, ''),
      filled('', part, '\u0000'),
      filled(sample(regex, random).slice(0, 3), part, '!'),
    ])
}
