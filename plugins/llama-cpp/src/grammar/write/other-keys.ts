import { without } from '../automaton/code-points.js'
import { unescaped } from '../automaton/rules-of.js'
import { characters, choice, repeat, sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import type { Rules } from '../rules.js'

/** Keys that begin like a named one for so long are left out: the grammar stays small, and telling them apart is hard. */
const maxCommon = 12

/**
 * What follows the opening quotation mark of keys other than those named, as far as the closing one. Without escapes,
 * so that no spelling of a named key slips in.
 */
export const otherKey = (names: readonly string[], rules: Rules): Expression => {
  const tail = rules.share('free key', 'key', () => sequence(repeat(characters(...unescaped), 0, Infinity), text('"')))
  return differing(names, 0, tail)
}

const differing = (names: readonly string[], depth: number, tail: Expression): Expression => {
  const branches = new Map<string, string[]>()
  for (const name of names) {
    const [first] = name
    if (first === undefined) continue
    const rests = branches.get(first)
    if (rests) rests.push(name.slice(first.length))
    else branches.set(first, [name.slice(first.length)])
  }
  const others = without(
    unescaped,
    [...branches.keys()].map((char) => char.codePointAt(0) ?? 0),
  )
  return choice(
    sequence(characters(...others), tail),
    ...(names.includes('') ? [] : [text('"')]),
    ...[...branches]
      .filter(([first]) => depth < maxCommon && isUnescaped(first))
      .map(([first, rests]) => sequence(text(first), differing(rests, depth + 1, tail))),
  )
}

const isUnescaped = (char: string): boolean => {
  const code = char.codePointAt(0) ?? 0
  return unescaped.some(([from, to]) => from <= code && code <= to)
}
