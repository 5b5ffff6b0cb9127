import { literal } from '../grammar/index.js'
import { sharedLength } from '../text/shared-length.js'

interface NamedRule {
  readonly name: string
  /** What follows the name. */
  readonly rule: string
}

/** GBNF for one of several names, each with what follows it. Equal beginnings stand once, so that no two ways are open. */
export const nameChoice = (choices: readonly NamedRule[]): string => {
  const [first] = choices
  if (!first) return '""'
  if (choices.length === 1) return `${literal(first.name)} ${first.rule}`
  const shared = commonBeginning(choices.map(({ name }) => name))
  const rests = choices.map(({ name, rule }) => ({ name: name.slice(shared.length), rule }))
  const groups = new Map<string, NamedRule[]>()
  for (const rest of rests) groups.set(rest.name.charAt(0), [...(groups.get(rest.name.charAt(0)) ?? []), rest])
  const alternatives = [...groups.values()].map(nameChoice).join(' | ')
  return `${shared === '' ? '' : `${literal(shared)} `}(${alternatives})`
}

const commonBeginning = ([first = '', ...others]: readonly string[]): string =>
  others.reduce((shared, name) => shared.slice(0, sharedLength(shared, name)), first)
