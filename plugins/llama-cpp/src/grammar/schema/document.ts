import { schemaDraft } from '@sallyport/kit/schemas'
import { append } from '@sallyport/kit/lists'
import type { Budget } from '../budget.js'
import { checkKeywords, invalid } from './check.js'
import { isObject, schemaHoldings } from './keywords.js'
import type { JsonObject } from './keywords.js'
import { pathOf } from './node.js'
import type { SchemaNode } from './node.js'

/** Finds the schemas of a document, and what they refer to. */
export class SchemaDocument {
  readonly root: SchemaNode
  /** The schema that all values fit, and the one that none fits. */
  readonly anything: SchemaNode = { id: -1, schema: true, base: '', parent: undefined, steps: [] }
  readonly nothing: SchemaNode = { id: -2, schema: false, base: '', parent: undefined, steps: [] }
  /** Of draft 7 and before: what stands beside `$ref` means nothing, and `items` may be a list. */
  readonly isLegacy: boolean
  private readonly nodes = new Map<JsonObject, SchemaNode>()
  private readonly resources = new Map<string, SchemaNode>()
  private readonly anchors = new Map<string, SchemaNode>()
  private readonly dynamicAnchors = new Map<string, number>()
  private count = 0

  /** @throws invalid_request where a keyword is not as the specification has it */
  constructor(
    schema: unknown,
    readonly field: string,
    private readonly budget: Budget,
  ) {
    this.measure(schema)
    if (!isObject(schema) && typeof schema !== 'boolean') throw invalid(field, '$', 'is not a schema: send an object')
    this.isLegacy = schemaDraft(schema) === 'draft-07'
    this.root = this.newNode(schema, '', undefined, [])
    this.resources.set('', this.root)
    this.scan(this.root)
  }

  /** The schema below a keyword of a node. */
  child(node: SchemaNode, ...steps: (string | number)[]): SchemaNode {
    const value = steps.reduce<unknown>(
      (at, step) => (at as Readonly<Record<string | number, unknown>> | undefined)?.[step],
      node.schema,
    )
    return (
      (isObject(value) ? this.nodes.get(value) : undefined) ?? this.newNode(value as boolean, node.base, node, steps)
    )
  }

  /** A schema that is written nowhere. */
  synthetic(schema: JsonObject | boolean, origin: SchemaNode): SchemaNode {
    return this.newNode(schema, origin.base, origin, [])
  }

  /** @throws invalid_request where the reference leads to nothing, or out of the document */
  resolve(node: SchemaNode, keyword: string, reference: string): SchemaNode {
    const [resource, fragment] = splitReference(resolveUri(reference, node.base))
    const root = this.resources.get(resource)
    const target = root && (fragment.startsWith('/') || fragment === '' ? this.byPointer(root, fragment) : undefined)
    const found = target ?? this.anchors.get(`${resource}#${fragment}`)
    if (found) return found
    const where = root ? 'leads to nothing' : 'leads out of the document'
    throw invalid(
      this.field,
      pathOf(node),
      `${keyword} ${where}: define what it means under $defs, and refer to "#/$defs/…"`,
    )
  }

  /** Whether several dynamic anchors have the name, so that the way to a reference decides what it means. */
  isDynamic(reference: string): boolean {
    return (this.dynamicAnchors.get(splitReference(reference)[1]) ?? 0) > 1
  }

  /** Before anything else looks at it, for what follows goes down into it by recursion. */
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
    if (fragment === '') return root
    const steps = decode(fragment)
      .slice(1)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    this.budget.check('depth', steps.length)
    const value = steps.reduce<unknown>((at, step) => {
      const isOwn = typeof at === 'object' && at !== null && Object.hasOwn(at, step)
      return isOwn ? (at as JsonObject)[step] : undefined
    }, root.schema)
    if (typeof value === 'boolean') return this.newNode(value, root.base, root, steps)
    if (!isObject(value)) return undefined
    return this.nodes.get(value) ?? this.scan(this.newNode(value, root.base, root, steps))
  }

  /** Without recursion: a document may be nested deeply. */
  private scan(start: SchemaNode): SchemaNode {
    const pending: [node: SchemaNode, depth: number][] = [[start, 0]]
    for (let next = pending.pop(); next; next = pending.pop()) {
      const [{ schema }, depth] = next
      this.budget.check('depth', depth)
      if (!isObject(schema)) continue
      const node = this.register(next[0], schema)
      checkKeywords(node, schema, this.field)
      for (const [value, ...steps] of subschemas(schema))
        pending.push([this.newNode(value, node.base, node, steps), depth + 1])
    }
    return this.nodes.get(start.schema as JsonObject) ?? start
  }

  private newNode(
    schema: JsonObject | boolean,
    base: string,
    parent: SchemaNode | undefined,
    steps: readonly (string | number)[],
  ): SchemaNode {
    this.budget.spend('steps')
    this.count += 1
    return { id: this.count, schema, base, parent, steps }
  }

  private register(node: SchemaNode, schema: JsonObject): SchemaNode {
    const { $id: id, $anchor: anchor, $dynamicAnchor: dynamic } = schema
    const named = typeof id === 'string' && !(this.isLegacy && '$ref' in schema)
    const [resource, fragment] = named ? splitReference(resolveUri(id, node.base)) : [node.base, '']
    const registered = resource === node.base ? node : { ...node, base: resource }
    this.nodes.set(schema, registered)
    if (node === this.root) (this as { root: SchemaNode }).root = registered
    if (node.parent === undefined) this.resources.set('', registered)
    if (named && fragment === '') this.resources.set(resource, registered)
    const names = [anchor, dynamic, this.isLegacy && named && fragment !== '' ? fragment : undefined]
    for (const name of names) if (typeof name === 'string') this.anchors.set(`${resource}#${name}`, registered)
    if (typeof dynamic === 'string') this.dynamicAnchors.set(dynamic, (this.dynamicAnchors.get(dynamic) ?? 0) + 1)
    return registered
  }
}

/** Of a schema whose keywords are checked: each with the steps that lead to it. */
const subschemas = (schema: JsonObject): [schema: JsonObject, ...steps: (string | number)[]][] => {
  const found: [JsonObject, ...(string | number)[]][] = []
  for (const [keyword, value] of Object.entries(schema)) {
    const holding = schemaHoldings.get(keyword)
    if (holding === undefined) continue
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) if (isObject(item)) found.push([item, keyword, index])
    } else if (holding === 'map') {
      for (const [name, item] of Object.entries(value as JsonObject))
        if (isObject(item)) found.push([item, keyword, name])
    } else if (isObject(value)) found.push([value, keyword])
  }
  return found
}

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
