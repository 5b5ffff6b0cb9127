import { failure } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'
import { append, maxOf, minOf } from '@sallyport/kit/lists'
import { schemaDraft } from '@sallyport/kit/schemas'
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
  /** The URI that references are relative to. */
  readonly base: string
}

/** Keywords whose values are a schema, a list of schemas (or, in draft 7, one), and a map of schemas. */
const subschemaKeywords = {
  one: 'additionalItems additionalProperties contains else if items not propertyNames then unevaluatedItems unevaluatedProperties',
  list: 'allOf anyOf items oneOf prefixItems',
  map: '$defs definitions dependencies dependentSchemas patternProperties properties',
}
const [one, list, map] = [subschemaKeywords.one, subschemaKeywords.list, subschemaKeywords.map].map(
  (names) => new Set(names.split(' ')),
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
  /** In drafts up to 7, keywords beside `$ref` are ignored, and `items` may be a list. */
  readonly isLegacy: boolean
  private readonly nodes = new Map<JsonObject, SchemaNode>()
  /** Targets of references by URI, with the fragment of an anchor or an empty one. */
  private readonly targets = new Map<string, SchemaNode>()
  private readonly dynamicAnchors = new Map<string, number>()
  private count = 0

  /** @throws invalid_request where the value is too large or no schema */
  constructor(
    schema: unknown,
    readonly field: string,
    private readonly budget: Budget,
  ) {
    this.measure(schema)
    if (!isObject(schema) && typeof schema !== 'boolean') throw this.invalid('$', 'is not a schema: send an object')
    this.isLegacy = schemaDraft(schema) === 'draft-07'
    this.root = this.register(schema, '$', '')
    this.targets.set('#', this.root)
  }

  /** The schema at a keyword of a node, or at a name or an index below the keyword. */
  child(node: SchemaNode, keyword: string, step?: string | number): SchemaNode {
    const value = (node.schema as JsonObject)[keyword]
    const schema = step === undefined ? value : (value as Readonly<Record<string | number, unknown>>)[step]
    const path = pathTo(node.path, step === undefined ? [keyword] : [keyword, step])
    return this.nodeOf(schema, path, node.base)
  }

  /** A schema that is not in the document, but follows from one that is. */
  synthetic(schema: JsonObject | boolean, { path, base }: SchemaNode): SchemaNode {
    return this.newNode(schema, path, base)
  }

  /** @throws invalid_request where the reference has no target, or one outside the document */
  resolve(node: SchemaNode, keyword: string, reference: string): SchemaNode {
    const [resource, fragment] = splitReference(resolveUri(reference, node.base))
    const root = this.targets.get(`${resource}#`)
    const target = root && fragment.startsWith('/') ? this.byPointer(root, fragment) : undefined
    const found = target ?? this.targets.get(`${resource}#${fragment}`)
    if (found) return found
    const problem = `${keyword} leads ${root ? 'to nothing' : 'out of the document'}`
    throw this.invalid(node.path, `${problem}: define what it means under $defs, and refer to "#/$defs/…"`)
  }

  /** Whether several dynamic anchors have the name, so that the target depends on the path of evaluation. */
  isDynamic(reference: string): boolean {
    return (this.dynamicAnchors.get(splitReference(reference)[1]) ?? 0) > 1
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

  private byPointer(root: SchemaNode, fragment: string): SchemaNode | undefined {
    const steps = decode(fragment)
      .slice(1)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    const value = steps.reduce<unknown>((at, step) => {
      const isOwn = typeof at === 'object' && at !== null && Object.hasOwn(at, step)
      return isOwn ? (at as JsonObject)[step] : undefined
    }, root.schema)
    const isSchema = isObject(value) || typeof value === 'boolean'
    return isSchema ? this.nodeOf(value, pathTo(root.path, steps), root.base) : undefined
  }

  private nodeOf(schema: unknown, path: string, base: string): SchemaNode {
    if (!isObject(schema)) return this.newNode(schema !== false, path, base)
    return this.nodes.get(schema) ?? this.register(schema, path, base)
  }

  private newNode(schema: JsonObject | boolean, path: string, base: string): SchemaNode {
    this.budget.spend('steps')
    this.count += 1
    return { id: this.count, schema, path, base }
  }

  /** Makes nodes for a schema and its subschemas, and registers the URIs by which references name them. */
  private register(schema: JsonObject | boolean, path: string, outer: string): SchemaNode {
    if (!isObject(schema)) return this.newNode(schema, path, outer)
    const { $id: id, $anchor: anchor, $dynamicAnchor: dynamic } = schema
    const isNamed = typeof id === 'string' && !(this.isLegacy && '$ref' in schema)
    const [base, fragment] = isNamed ? splitReference(resolveUri(id, outer)) : [outer, '']
    const node = this.newNode(schema, path, base)
    this.nodes.set(schema, node)
    if (path === '$' || (isNamed && fragment === '')) this.targets.set(`${base}#`, node)
    for (const name of [anchor, dynamic, this.isLegacy ? fragment : ''])
      if (typeof name === 'string' && name !== '') this.targets.set(`${base}#${name}`, node)
    if (typeof dynamic === 'string') this.dynamicAnchors.set(dynamic, (this.dynamicAnchors.get(dynamic) ?? 0) + 1)
    for (const [inner, ...steps] of subschemas(schema)) this.register(inner, pathTo(path, steps), base)
    return node
  }
}

const subschemas = (schema: JsonObject): [schema: JsonObject, ...steps: (string | number)[]][] =>
  Object.entries(schema).flatMap(([keyword, value]): [JsonObject, ...(string | number)[]][] => {
    if (list?.has(keyword) && Array.isArray(value))
      return value.flatMap((item, index) => (isObject(item) ? [[item, keyword, index]] : []))
    if (!isObject(value)) return []
    if (one?.has(keyword)) return [[value, keyword]]
    if (!map?.has(keyword)) return []
    return Object.entries(value).flatMap(([name, item]) => (isObject(item) ? [[item, keyword, name]] : []))
  })

const pathTo = (path: string, steps: readonly (string | number)[]): string =>
  steps.reduce<string>((at, step) => {
    const isName = typeof step === 'string' && /^[A-Za-z_$][\w$]*$/.test(step)
    return isName ? `${at}.${step}` : `${at}[${JSON.stringify(step)}]`
  }, path)

const splitReference = (uri: string): [resource: string, fragment: string] => {
  const at = uri.indexOf('#')
  return at < 0 ? [uri, ''] : [uri.slice(0, at), uri.slice(at + 1)]
}

const resolveUri = (reference: string, base: string): string => {
  if (reference.startsWith('#')) return base + reference
  return URL.canParse(reference, base || undefined) ? new URL(reference, base || undefined).href : reference
}

const decode = (fragment: string): string => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
