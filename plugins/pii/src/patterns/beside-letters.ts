import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import type { Recognizer } from '../recognizers/recognizer.js'

const parser = new RegExpParser({ ecmaVersion: 2024 })

const anyLetter = String.raw`\p{L}`
const latinLetter = String.raw`\p{Script=Latin}`

/** Letters of the scripts of most people, without signs of theirs: sets of all letters take much code. */
const otherLetter = String.raw`[\u0370-\u037d\u037f-\u0386\u0388-\u0588\u0591-\u060b\u060d-\u061a\u0620-\u06d3\u06d5-\u0963\u0966-\u1fff\u3041-\u30fa\u30fc-\ud7ff\uf900-\ufdff]`

/**
 * Not between two letters of other scripts, beside which {@link inAnyScript} lets matches begin: what goes on over
 * hundreds of letters would be tried from each of them.
 */
export const beginsWord = `(?!(?<=${otherLetter})${otherLetter})`

/**
 * The pattern, whose matches must have no letter beside them, with Latin letters meant: numbers and addresses stand
 * between letters of other scripts, many of which put no spaces between words.
 */
const besideOtherScripts = (regex: RegExp): RegExp => {
  const { source } = regex
  const letters: { readonly start: number; readonly end: number }[] = []
  let negated = 0
  visitRegExpAST(parser.parsePattern(source, undefined, undefined, { unicode: true }), {
    onAssertionEnter: (assertion) => {
      if ('negate' in assertion && assertion.negate) negated += 1
    },
    onAssertionLeave: (assertion) => {
      if ('negate' in assertion && assertion.negate) negated -= 1
    },
    onCharacterSetEnter: ({ raw, start, end }) => {
      if (negated && raw === anyLetter) letters.push({ start, end })
    },
  })
  const parts = letters.map(({ start }, at) => source.slice(letters[at - 1]?.end ?? 0, start))
  return new RegExp([...parts, source.slice(letters.at(-1)?.end ?? 0)].join(latinLetter), regex.flags)
}

/** A recogniser of what is written in Latin letters and digits, in texts of any script. */
export const inAnyScript = (recognizer: Recognizer): Recognizer => ({
  ...recognizer,
  patterns: recognizer.patterns.map((pattern) => ({ ...pattern, regex: besideOtherScripts(pattern.regex) })),
})
