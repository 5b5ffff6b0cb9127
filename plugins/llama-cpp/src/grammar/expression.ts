/** The right side of a rule, before it is written as GBNF (llama.cpp/grammars/README.md). */

/** Code points, both ends included. */
export type Range = readonly [from: number, to: number]

export type Expression =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'characters'; readonly ranges: readonly Range[] }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'sequence'; readonly items: readonly Expression[] }
  | { readonly kind: 'choice'; readonly items: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly item: Expression; readonly min: number; readonly max: number }

/** A reference to a named rule. */
export type RuleReference = Expression & { readonly kind: 'rule' }

export const text = (value: string): Expression => ({ kind: 'text', text: value })
export const characters = (...ranges: Range[]): Expression => {
  const [first] = ranges
  const isSingle = ranges.length === 1 && first?.[0] === first?.[1]
  return first && isSingle ? text(String.fromCodePoint(first[0])) : { kind: 'characters', ranges }
}
export const rule = (name: string): RuleReference => ({ kind: 'rule', name })

/** Nested sequences are flattened, and texts that follow each other become one. */
export const sequence = (...parts: Expression[]): Expression => {
  const items: Expression[] = []
  for (const part of parts) {
    if (part.kind === 'sequence') for (const item of part.items) addItem(items, item)
    else addItem(items, part)
  }
  return items.length === 1 && items[0] ? items[0] : { kind: 'sequence', items }
}

const addItem = (items: Expression[], item: Expression): void => {
  const last = items.at(-1)
  if (item.kind === 'text' && item.text === '') return
  if (item.kind === 'text' && last?.kind === 'text') items[items.length - 1] = text(last.text + item.text)
  else items.push(item)
}

/** A choice of nothing matches no text. */
export const choice = (...items: Expression[]): Expression =>
  items.length === 1 && items[0] ? items[0] : { kind: 'choice', items }
export const optional = (item: Expression): Expression => ({ kind: 'repeat', item, min: 0, max: 1 })
/** The counts must be small: llama.cpp copies the item, and refuses nested counts whose product is above 2000. */
export const repeat = (item: Expression, min: number, max: number): Expression => ({ kind: 'repeat', item, min, max })
export const empty = sequence()
export const nothing = choice()
