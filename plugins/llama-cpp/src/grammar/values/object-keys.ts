import { sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import type { Language } from '../patterns/language.js'
import { stringTail } from '../patterns/write-automaton.js'
import type { SchemaNode } from '../schema/document.js'
import type { ObjectShape } from '../schema/object-shape.js'
import { StringShape } from '../schema/string-shape.js'
import type { ValueContext } from './value-context.js'

/** Keys that are not named, and the schemas of their values. */
export interface KeySet {
  readonly key: Expression
  readonly schemas: readonly SchemaNode[]
}

/** The keys that are not named; if the object is closed, only those that match a pattern. */
export const otherKeys = (shape: ObjectShape, isClosed: boolean, context: ValueContext): KeySet[] => {
  const { resolver } = context
  if (isClosed && shape.patterns.length === 0) return []
  if (shape.named.length === 0 && shape.patterns.length === 0) {
    const { path } = shape.names[0] ?? resolver.document.root
    const key = context.value([...shape.names, resolver.document.newNode({ type: 'string' }, path)])
    return [{ key, schemas: shape.others(new Set()) }]
  }
  const { languages } = resolver.patterns
  const allowed = languages.intersection(
    allowedNames(shape, context),
    languages.not(languages.choice(...shape.named.map((name) => languages.text(name)))),
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
  /** The patterns that these keys match. */
  readonly fitting: ReadonlySet<string>
}

/** Partitions keys by the patterns that they match. */
const regions = (keys: Language, sources: readonly string[], { resolver }: ValueContext): readonly Region[] => {
  const { languages } = resolver.patterns
  return sources.reduce<readonly Region[]>(
    (all, source) => {
      const pattern = resolver.patterns.language(source) ?? languages.nothing
      return all
        .flatMap((region) => [
          { keys: languages.intersection(region.keys, pattern), fitting: new Set([...region.fitting, source]) },
          { keys: languages.intersection(region.keys, languages.not(pattern)), fitting: region.fitting },
        ])
        .filter((region) => resolver.patterns.automaton(region.keys)?.some(({ accepts }) => accepts))
    },
    [{ keys, fitting: new Set() }],
  )
}

/** Undefined where the automaton of the keys is too large; then such keys are not written. */
const keyExpression = (keys: Language, { rules, resolver }: ValueContext): Expression | undefined => {
  const states = resolver.patterns.automaton(keys)
  if (!states?.some(({ accepts }) => accepts)) return undefined
  return rules.share(`key ${keys.id}`, 'key', () => sequence(text('"'), stringTail(states, rules, 'key')))
}

/** Names that fit `propertyNames`. */
const allowedNames = (shape: ObjectShape, context: ValueContext): Language => {
  const { resolver } = context
  const { languages } = resolver.patterns
  const alternatives = resolver.alternativesOf(shape.names).filter(({ types }) => types.has('string'))
  return languages.choice(
    ...alternatives.map((each) => {
      const strings = new StringShape(each, resolver)
      context.reportUnenforced([...each.unenforced, ...strings.unenforced])
      return strings.language()
    }),
  )
}
