import { failure } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'
import { append, maxOf, minOf } from '@sallyport/kit/lists'
import type { Budget } from '../budget.js'

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A schema inside a document. */
export interface SchemaNode {
  /** Unique within the document. */
  readonly id: number
  readonly schema: JsonObject | boolean
  /** JSON path, as in `$.properties.name`. */
  readonly path: string
}

/** Keywords whose value is a schema or a list of schemas. */
const schemaKeywords = new Set(
  (
    'additionalItems additionalProperties allOf anyOf contains else if items not oneOf prefixItems propertyNames then ' +
    'unevaluatedItems unevaluatedProperties'
  ).split(' '),
)
/** Keywords whose value has a schema for each of its keys. */
const schemaMapKeywords = new Set(
  '$defs definitions dependencies dependentSchemas patternProperties properties'.split(' '),
)

/** The maximum and the minimum of the numbers that schemas have for a keyword. */
export const maxOfKeyword = (nodes: readonly SchemaNode[], keyword: string, otherwise: number): number =>
  maxOf(numbersOf(nodes, keyword), otherwise)
export const minOfKeyword = (nodes: readonly SchemaNode[], keyword: string, otherwise: number): number =>
  minOf(numbersOf(nodes, keyword), otherwise)

const numbersOf = (nodes: readonly SchemaNode[], keyword: string): readonly number[] =>
  nodes.map(({ schema }) => (schema as JsonObject)[keyword]).filter((value) => typeof value === 'number')

/** Finds the schemas of a document and resolves references. The kernel has validated the document. */
export class SchemaDocument {
  readonly root: SchemaNode
  private readonly nodes = new Map<JsonObject, SchemaNode>()
  private readonly anchors = new Map<string, SchemaNode>()
  /** Whether a schema inside has a URI of its own (`$id`), which references may be relative to. */
  private hasInnerIds = false
  private count = 0

  /** @throws invalid_request where the value is too large or no schema */
  constructor(
    schema: unknown,
    readonly field: string,
    private readonly budget: Budget,
  ) {
    this.measure(schema)
    if (!isObject(schema) && typeof schema !== 'boolean') throw this.invalid('$', 'is not a schema: send an object')
    this.root = this.register(schema, '$')
  }

  /** The schema at a keyword of a node, or at a name or an index below the keyword. */
  child(node: SchemaNode, keyword: string, step?: string | number): SchemaNode {
    const value = (node.schema as JsonObject)[keyword]
    const schema = step === undefined ? value : (value as Readonly<Record<string | number, unknown>>)[step]
    const path = pathTo(node.path, step === undefined ? [keyword] : [keyword, step])
    return this.nodeOf(schema, path)
  }

  /** Makes a node of a schema, which may only follow from what the document has at the path. */
  newNode(schema: JsonObject | boolean, path: string): SchemaNode {
    this.budget.spend('steps')
    this.count += 1
    return { id: this.count, schema, path }
  }

  /**
   * The target of a reference; undefined where it depends on the URIs of schemas.
   * @throws invalid_request where the reference has no target, or one outside the document
   */
  resolve({ path }: SchemaNode, reference: string): SchemaNode | undefined {
    const isLocal = reference.startsWith('#')
    if (this.hasInnerIds || (!isLocal && '$id' in (this.root.schema as JsonObject))) return undefined
    const found = reference === '#' ? this.root : isLocal ? this.target(reference.slice(1)) : undefined
    if (found) return found
    const problem = `$ref leads ${isLocal ? 'to nothing' : 'out of the document'}`
    throw this.invalid(path, `${problem}: define what it means under $defs, and refer to "#/$defs/…"`)
  }

  invalid(path: string, problem: string): SallyportError {
    return failure('invalid_request', { field: this.field, problem: `the schema at ${path}: ${problem}` })
  }

  /** Limits the depth before any recursive function visits the schema. */
  private measure(value: unknown): void {
    let level: unknown[] = [value]
    for (let depth = 0; level.length > 0; depth += 1) {
      this.budget.check('depth', depth)
      this.budget.spend('nodes', level.length)
      const below: unknown[] = []
      for (const item of level) if (typeof item === 'object' && item !== null) append(below, Object.values(item))
      level = below
    }
  }

  private target(fragment: string): SchemaNode | undefined {
    if (!fragment.startsWith('/')) return this.anchors.get(fragment)
    const steps = decode(fragment)
      .slice(1)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    const value = steps.reduce<unknown>((at, step) => {
      const isOwn = typeof at === 'object' && at !== null && Object.hasOwn(at, step)
      return isOwn ? (at as JsonObject)[step] : undefined
    }, this.root.schema)
    const isSchema = isObject(value) || typeof value === 'boolean'
    return isSchema ? this.nodeOf(value, pathTo('$', steps)) : undefined
  }

  private nodeOf(schema: unknown, path: string): SchemaNode {
    if (!isObject(schema)) return this.newNode(schema !== false, path)
    return this.nodes.get(schema) ?? this.register(schema, path)
  }

  /** Makes nodes for a schema and its subschemas, and registers the anchors by which references name them. */
  private register(schema: JsonObject | boolean, path: string): SchemaNode {
    const node = this.newNode(schema, path)
    if (!isObject(schema)) return node
    const { $id: id, $anchor: anchor, $dynamicAnchor: dynamic } = schema
    this.nodes.set(schema, node)
    for (const name of [anchor, dynamic]) if (typeof name === 'string') this.anchors.set(name, node)
    // in draft 7, an anchor is a fragment of its own
    if (typeof id === 'string' && id.startsWith('#')) this.anchors.set(id.slice(1), node)
    else if (id !== undefined && path !== '$') this.hasInnerIds = true
    for (const [inner, ...steps] of subschemas(schema)) this.register(inner, pathTo(path, steps))
    return node
  }
}

const subschemas = (schema: JsonObject): [schema: JsonObject, ...steps: (string | number)[]][] =>
  Object.entries(schema).flatMap(([keyword, value]): [JsonObject, ...(string | number)[]][] => {
    if (schemaKeywords.has(keyword) && isObject(value)) return [[value, keyword]]
    if (schemaKeywords.has(keyword) && Array.isArray(value))
      return value.flatMap((item, index) => (isObject(item) ? [[item, keyword, index]] : []))
    if (!schemaMapKeywords.has(keyword) || !isObject(value)) return []
    return Object.entries(value).flatMap(([name, item]) => (isObject(item) ? [[item, keyword, name]] : []))
  })

const pathTo = (path: string, steps: readonly (string | number)[]): string =>
  steps.reduce<string>((at, step) => {
    const isName = typeof step === 'string' && /^[A-Za-z_$][\w$]*$/.test(step)
    return isName ? `${at}.${step}` : `${at}[${JSON.stringify(step)}]`
  }, path)

const decode = (fragment: string): string => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
