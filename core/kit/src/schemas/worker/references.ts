/** Checks that all references of a schema lead to a schema inside it, and not back to themselves. */

import { isList, isRecord } from '../../json/data.js'
import type { Path } from '../../json/data.js'
import type { Flaw } from '../protocol.js'
import { childSchemas } from './subschemas.js'
import type { Place } from './subschemas.js'

interface Located extends Place {
  /** The address that its references are relative to. */
  readonly base: string
}

const rootAddress = 'schema:///'

/** Keywords whose schemas apply to the same value as the schema that holds them. */
const inPlace = new Set('allOf anyOf dependencies dependentSchemas else if not oneOf then'.split(' '))

const referenceKeywords = ['$ref', '$dynamicRef'] as const

/** What is wrong with the references of a schema, and all schemas in it: those, too, that only a reference reaches. */
export const inspectReferences = (
  root: unknown,
): { readonly flaw?: Flaw | undefined; readonly places: readonly Place[] } => {
  if (!isRecord(root)) return { places: [] }
  const references = new References(root)
  return { flaw: references.problem(), places: [...references.places.values()] }
}

class References {
  readonly places = new Map<object, Located>()
  /** Keys are addresses. */
  private readonly resources = new Map<string, unknown>()
  /** Keys are `address#name`. */
  private readonly anchors = new Map<string, Located>()
  /** The schemas to which each schema passes its value on. */
  private readonly targets = new Map<object, Place[]>()

  constructor(root: Record<string, unknown>) {
    this.resources.set(rootAddress, root)
    this.locate({ schema: root, path: [], base: rootAddress })
  }

  problem(): Flaw | undefined {
    // The map grows in the loop: a reference may lead to a schema that no keyword reaches.
    for (const place of this.places.values()) {
      const problem = this.follow(place)
      if (problem) return problem
    }
    return this.findCycle()
  }

  private locate(first: Located): void {
    const open = [first]
    for (let found = open.pop(); found; found = open.pop()) {
      const place = { ...found, base: this.registerNames(found) }
      if (this.places.has(place.schema)) continue
      this.places.set(place.schema, place)
      for (const inner of childSchemas(place)) {
        open.push({ ...inner, base: place.base })
        if (inPlace.has(inner.keyword)) this.addTarget(place, inner)
      }
    }
  }

  /** Registers the names of a schema. @returns the address that its references are relative to */
  private registerNames(place: Located): string {
    const { $id: id, $anchor: anchor, $dynamicAnchor: dynamic } = place.schema
    const address = typeof id === 'string' ? resolveReference(id, place.base) : undefined
    const base = address?.document ?? place.base
    if (address && !address.fragment) this.resources.set(base, place.schema)
    // Draft 7 names anchors as `$id: "#name"`.
    for (const name of [anchor, dynamic, address?.fragment])
      if (typeof name === 'string' && name) this.anchors.set(`${base}#${name}`, { ...place, base })
    return base
  }

  private follow(place: Located): Flaw | undefined {
    for (const keyword of referenceKeywords) {
      const reference = place.schema[keyword]
      if (typeof reference !== 'string') continue
      const path = [...place.path, keyword]
      const address = resolveReference(reference, place.base)
      if (!address || !this.resources.has(address.document))
        return { path, problem: 'leads out of the schema: refer to what is inside it ("#/$defs/…")' }
      const target = this.targetOf(address)
      if (target === undefined) return { path, problem: 'leads to no schema' }
      if (typeof target === 'boolean') continue
      this.locate(target)
      this.addTarget(place, target)
    }
    return undefined
  }

  private targetOf({ document: address, fragment }: Address): Located | boolean | undefined {
    const root = this.resources.get(address)
    const anchor = this.anchors.get(`${address}#${fragment}`)
    if (anchor) return anchor
    if (fragment && !fragment.startsWith('/')) return undefined
    let target = root
    const path: (string | number)[] = []
    for (const step of fragment.split('/').slice(1)) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
      if ((!isRecord(target) && !isList(target)) || !Object.hasOwn(target, key)) return undefined
      path.push(isList(target) ? Number(key) : key)
      target = (target as Readonly<Record<string, unknown>>)[key]
    }
    if (typeof target === 'boolean') return target
    return isRecord(target) ? (this.places.get(target) ?? { schema: target, path, base: address }) : undefined
  }

  private addTarget(place: Place, to: Place): void {
    const others = this.targets.get(place.schema)
    if (others) others.push(to)
    else this.targets.set(place.schema, [to])
  }

  /** Finds a schema that passes its value on to itself: a validator would follow it for ever. */
  private findCycle(): Flaw | undefined {
    const done = new Set<object>()
    for (const start of this.places.values()) {
      const entered = new Set<object>()
      const open: { readonly place: Place; readonly left: Place[] }[] = []
      const enter = (place: Place) => {
        entered.add(place.schema)
        open.push({ place, left: [...(this.targets.get(place.schema) ?? [])] })
      }
      if (!done.has(start.schema)) enter(start)
      for (let last = open.at(-1); last; last = open.at(-1)) {
        const next = last.left.pop()
        if (next && entered.has(next.schema))
          return { path: pathOfReference(last.place), problem: 'leads only to itself' }
        if (next && !done.has(next.schema)) enter(next)
        else if (!next) {
          open.pop()
          entered.delete(last.place.schema)
          done.add(last.place.schema)
        }
      }
    }
    return undefined
  }
}

const pathOfReference = ({ schema, path }: Place): Path => ('$ref' in schema ? [...path, '$ref'] : path)

interface Address {
  readonly document: string
  /** Decoded, without `#`. */
  readonly fragment: string
}

const resolveReference = (reference: string, base: string): Address | undefined => {
  try {
    const url = new URL(reference, base)
    const fragment = decodeURIComponent(url.hash.slice(1))
    url.hash = ''
    return { document: url.href, fragment }
  } catch {
    return undefined
  }
}
