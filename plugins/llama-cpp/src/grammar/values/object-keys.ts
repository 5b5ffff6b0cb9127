import { sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import type { Language } from '../patterns/language.js'
import { stringEnd } from '../patterns/write-automaton.js'
import type { SchemaNode } from '../schema/document.js'
import type { ObjectShape } from '../schema/object-shape.js'
import { StringShape } from '../schema/string-shape.js'
import type { ValueContext } from './value-context.js'

/** Keys that are not named one by one, and the schemas of their values. */
export interface KeySet {
  readonly key: Expression
  readonly schemas: readonly SchemaNode[]
}

/** Keys other than those that are named or forbidden; if closed, only those that fit a pattern. */
export const otherKeys = (
  shape: ObjectShape,
  forbidden: readonly string[],
  isClosed: boolean,
  context: ValueContext,
): KeySet[] => {
  const { alternatives } = context
  const excluded = [...shape.named, ...forbidden]
  if (isClosed && shape.patterns.length === 0) return []
  if (excluded.length === 0 && shape.patterns.length === 0) {
    const { document } = alternatives
    const key = context.value([...shape.names, document.synthetic({ type: 'string' }, shape.names[0] ?? document.root)])
    return [{ key, schemas: shape.others(new Set()) }]
  }
  const { languages } = alternatives.patterns
  const allowed = languages.all(
    allowedNames(shape, context),
    languages.not(languages.choice(...excluded.map((name) => languages.text(name)))),
  )
  return regions(allowed, shape.patterns, context)
    .filter(({ fitting }) => fitting.size > 0 || !isClosed)
    .flatMap(({ keys, fitting }): KeySet[] => {
      const key = keyExpression(keys, context)
      return key ? [{ key, schemas: shape.others(fitting) }] : []
    })
}

interface Region {
  readonly keys: Language
  /** The patterns that these keys fit. */
  readonly fitting: ReadonlySet<string>
}

/** Splits keys by the patterns that they fit. */
const regions = (keys: Language, sources: readonly string[], { alternatives }: ValueContext): readonly Region[] => {
  const { languages } = alternatives.patterns
  return sources.reduce<readonly Region[]>(
    (all, source) => {
      const pattern = alternatives.patterns.language(source) ?? languages.nothing
      return all
        .flatMap((region) => [
          { keys: languages.all(region.keys, pattern), fitting: new Set([...region.fitting, source]) },
          { keys: languages.all(region.keys, languages.not(pattern)), fitting: region.fitting },
        ])
        .filter((region) => alternatives.patterns.automaton(region.keys)?.some(({ accepts }) => accepts))
    },
    [{ keys, fitting: new Set() }],
  )
}

/** Undefined where the keys would take too large an automaton: then they are not written. */
const keyExpression = (keys: Language, { rules, alternatives }: ValueContext): Expression | undefined => {
  const states = alternatives.patterns.automaton(keys)
  if (!states?.some(({ accepts }) => accepts)) return undefined
  return rules.share(`key ${keys.id}`, 'key', () => sequence(text('"'), stringEnd(states, rules, 'key')))
}

/** Names that fit `propertyNames`. */
const allowedNames = (shape: ObjectShape, context: ValueContext): Language => {
  const { alternatives } = context
  const { languages } = alternatives.patterns
  const found = alternatives.of(shape.names).filter(({ types }) => types.has('string'))
  return languages.choice(
    ...found.map((each) => {
      const strings = new StringShape(each, alternatives)
      context.leaveOut([...each.unheld, ...strings.unheld])
      return strings.language()
    }),
  )
}
