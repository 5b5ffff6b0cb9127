import type { Alternative, SchemaResolver, KeywordLocation } from './alternative.js'
import { isObject } from './document.js'
import type { JsonObject, SchemaNode } from './document.js'
import { StringShape } from './string-shape.js'
import { closingKeyword, isUnevaluatedEnforced } from './unevaluated.js'

/** The constraints of one schema on properties. */
interface Layer {
  readonly node: SchemaNode
  readonly declared: ReadonlySet<string>
  /** Regular expressions of `patternProperties`. */
  readonly patterns: readonly string[]
  /** The schema of properties that are not declared and fit no pattern; absent where they may be anything. */
  readonly additional: SchemaNode | undefined
}

/** Keywords about properties that are not declared. */
const keywordsForUndeclared = ['additionalProperties', 'unevaluatedProperties', 'patternProperties']

const dependencies = ['dependentRequired', 'dependentSchemas', 'dependencies']

const shapes = new WeakMap<Alternative, ObjectShape>()

/** The constraints of an alternative on objects. */
export class ObjectShape {
  readonly required: ReadonlySet<string>
  /** Declared and required properties, in the order of the schemas. */
  readonly named: readonly string[]
  /** Schemas of the names of properties. */
  readonly names: readonly SchemaNode[]
  readonly patterns: readonly string[]
  /** Whether properties are declared and no keyword is about others. Others are allowed then, but hardly intended. */
  readonly isClosed: boolean
  readonly unenforced: readonly KeywordLocation[]
  private readonly layers: readonly Layer[]

  private constructor(
    { nodes }: Alternative,
    private readonly resolver: SchemaResolver,
  ) {
    this.layers = nodes.map((node) => this.layerOf(node))
    this.required = new Set(nodes.flatMap(({ schema }) => requiredOf(schema as JsonObject)))
    this.named = [...new Set([...this.layers.flatMap(({ declared }) => [...declared]), ...this.required])]
    this.names = nodes
      .filter(({ schema }) => 'propertyNames' in (schema as JsonObject))
      .map((node) => resolver.document.child(node, 'propertyNames'))
    this.patterns = [...new Set(this.layers.flatMap(({ patterns }) => patterns))]
    const declares = ({ node, declared }: Layer) =>
      (declared.size > 0 || 'properties' in (node.schema as JsonObject)) &&
      !keywordsForUndeclared.some((keyword) => keyword in (node.schema as JsonObject))
    const opens = ({ additional }: Layer) => additional !== undefined && additional.schema !== false
    this.isClosed = this.layers.some(declares) && !this.layers.some(opens) && this.names.length === 0
    this.unenforced = this.layers.flatMap((layer) => unenforcedIn(layer))
  }

  static of(alternative: Alternative, resolver: SchemaResolver): ObjectShape {
    const shape = shapes.get(alternative) ?? new ObjectShape(alternative, resolver)
    shapes.set(alternative, shape)
    return shape
  }

  /** The schemas of the value of a property. */
  property(key: string): readonly SchemaNode[] {
    const { document, patterns } = this.resolver
    if (!this.isAllowed(key)) return [document.newNode(false, document.root.path)]
    return this.schemas(key, (pattern) => patterns.matches(pattern, key))
  }

  /** The schemas of the values of undeclared properties whose keys match these patterns and no others. */
  others(fitting: ReadonlySet<string>): readonly SchemaNode[] {
    return this.schemas(undefined, (pattern) => fitting.has(pattern))
  }

  /** Whether the name fits `propertyNames`. */
  private isAllowed(name: string): boolean {
    if (this.names.length === 0) return true
    const alternatives = this.resolver.alternativesOf(this.names).filter(({ types }) => types.has('string'))
    return alternatives.some((each) => new StringShape(each, this.resolver).fits(name))
  }

  private schemas(key: string | undefined, fits: (pattern: string) => boolean): readonly SchemaNode[] {
    const { document } = this.resolver
    return this.layers.flatMap(({ node, declared, patterns, additional }) => {
      const schemas = patterns.filter(fits).map((pattern) => document.child(node, 'patternProperties', pattern))
      if (key !== undefined && declared.has(key)) schemas.push(document.child(node, 'properties', key))
      return schemas.length ? schemas : (additional ?? [])
    })
  }

  private layerOf(node: SchemaNode): Layer {
    const { document, patterns } = this.resolver
    const schema = node.schema as JsonObject
    const sources = keysOf(schema['patternProperties'])
    const rest = closingKeyword(schema, 'additionalProperties', 'unevaluatedProperties')
    return {
      node,
      declared: new Set(keysOf(schema['properties'])),
      patterns: sources.every((source) => patterns.language(source)) ? sources : [],
      additional: rest === undefined ? undefined : document.child(node, rest),
    }
  }
}

const keysOf = (value: unknown): readonly string[] => (isObject(value) ? Object.keys(value) : [])

const requiredOf = ({ required }: JsonObject): readonly string[] =>
  Array.isArray(required) ? required.map(String) : []

const unenforcedIn = ({ node, patterns }: Layer): KeywordLocation[] => {
  const schema = node.schema as JsonObject
  const keywords = [
    ...(patterns.length < keysOf(schema['patternProperties']).length ? ['patternProperties'] : []),
    ...dependencies.filter((keyword) => keysOf(schema[keyword]).length > 0),
    ...(isUnevaluatedEnforced(node, 'unevaluatedProperties', 'additionalProperties') ? [] : ['unevaluatedProperties']),
  ]
  return keywords.map((keyword) => ({ keyword, node }))
}
