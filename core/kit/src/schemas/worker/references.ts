/** Whether all references of a schema lead to a schema inside it, and not back to themselves. */

import { isList, isRecord } from '../../json/data.js'
import type { Path } from '../../json/data.js'
import type { Flaw } from '../protocol.js'
import { inside } from './subschemas.js'
import type { Place } from './subschemas.js'

interface Located extends Place {
  /** What its references are relative to. */
  readonly base: string
}

const document = 'schema:///'

/** Keywords whose schemas look at the same value as the one in which they stand. */
const inPlace = new Set('allOf anyOf dependencies dependentSchemas else if not oneOf then'.split(' '))

const referring = ['$ref', '$dynamicRef'] as const

export const inspectReferences = (root: unknown): Flaw | undefined =>
  isRecord(root) ? new References(root).problem() : undefined

class References {
  private readonly places = new Map<object, Located>()
  /** By their address. */
  private readonly resources = new Map<string, unknown>()
  /** By address and name. */
  private readonly anchors = new Map<string, Located>()
  /** What each schema hands its value on to. */
  private readonly next = new Map<object, Place[]>()

  constructor(root: Record<string, unknown>) {
    this.resources.set(document, root)
    this.locate({ schema: root, path: [], base: document })
  }

  problem(): Flaw | undefined {
    // What a reference leads to may be nowhere else: the map grows.
    for (const place of this.places.values()) {
      const problem = this.follow(place)
      if (problem) return problem
    }
    return this.endless()
  }

  private locate(first: Located): void {
    const open = [first]
    for (let found = open.pop(); found; found = open.pop()) {
      const place = { ...found, base: this.named(found) }
      if (this.places.has(place.schema)) continue
      this.places.set(place.schema, place)
      for (const inner of inside(place)) {
        open.push({ ...inner, base: place.base })
        if (inPlace.has(inner.keyword)) this.handsOn(place, inner)
      }
    }
  }

  /** Notes its names. @returns what its references are relative to */
  private named(place: Located): string {
    const { $id: id, $anchor: anchor, $dynamicAnchor: dynamic } = place.schema
    const address = typeof id === 'string' ? resolved(id, place.base) : undefined
    const base = address?.document ?? place.base
    if (address && !address.fragment) this.resources.set(base, place.schema)
    // Of draft 7: `$id: "#name"`.
    for (const name of [anchor, dynamic, address?.fragment])
      if (typeof name === 'string' && name) this.anchors.set(`${base}#${name}`, { ...place, base })
    return base
  }

  private follow(place: Located): Flaw | undefined {
    for (const keyword of referring) {
      const reference = place.schema[keyword]
      if (typeof reference !== 'string') continue
      const path = [...place.path, keyword]
      const address = resolved(reference, place.base)
      if (!address || !this.resources.has(address.document))
        return { path, problem: 'leads out of the schema: refer to what stands inside it ("#/$defs/…")' }
      const target = this.targetOf(address)
      if (target === undefined) return { path, problem: 'leads to no schema' }
      if (typeof target === 'boolean') continue
      this.locate(target)
      this.handsOn(place, target)
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

  private handsOn(place: Place, to: Place): void {
    const others = this.next.get(place.schema)
    if (others) others.push(to)
    else this.next.set(place.schema, [to])
  }

  /** A schema that hands its value on to itself would be looked at for ever. */
  private endless(): Flaw | undefined {
    const done = new Set<object>()
    for (const start of this.places.values()) {
      const way = new Set<object>()
      const open: { readonly place: Place; readonly left: Place[] }[] = []
      const enter = (place: Place) => {
        way.add(place.schema)
        open.push({ place, left: [...(this.next.get(place.schema) ?? [])] })
      }
      if (!done.has(start.schema)) enter(start)
      for (let last = open.at(-1); last; last = open.at(-1)) {
        const next = last.left.pop()
        if (next && way.has(next.schema)) return { path: pathOfReference(last.place), problem: 'leads only to itself' }
        if (next && !done.has(next.schema)) enter(next)
        else if (!next) {
          open.pop()
          way.delete(last.place.schema)
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

const resolved = (reference: string, base: string): Address | undefined => {
  try {
    const url = new URL(reference, base)
    const fragment = decodeURIComponent(url.hash.slice(1))
    url.hash = ''
    return { document: url.href, fragment }
  } catch {
    return undefined
  }
}
