import type { Finding } from '@sallyport/core'
import type { Recognizer } from '../recognizers/recognizer.js'

/** The text that may be between two parts of one address. */
const separator = /^[\s,>]{1,6}$/u

export const maySeparate = (text: string, from: number, to: number): boolean =>
  to >= from && to - from <= 6 && (to === from || separator.test(text.slice(from, to)))

/** Whether neighbouring findings are joined: parts of addresses are found one by one. */
export const joinsNeighbours = ({ entity }: Pick<Recognizer, 'entity'>): boolean => entity === 'LOCATION'

const maxAddressLength = 240

/** A finding with the kind of its recogniser. Locations are joined with neighbours of another kind. */
export interface FindingWithKind extends Finding {
  /** Neighbours of the same kind stay apart: `France, Spain`. */
  readonly kind?: string | undefined
}

/**
 * Joins neighbouring locations, with the highest of their scores. The findings must be, and the result is, sorted by
 * start.
 */
export const joinNeighbours = <Some extends FindingWithKind>(findings: readonly Some[], text: string): Some[] => {
  const result: Some[] = []
  let last: number | undefined
  for (const finding of findings) {
    const before = last === undefined ? undefined : result[last]
    if (joinsNeighbours({ entity: finding.type })) {
      if (before && last !== undefined && areOneAddress(before, finding, text))
        result[last] = {
          ...before,
          end: Math.max(before.end, finding.end),
          score: Math.max(before.score, finding.score),
          kind: finding.kind,
        }
      else last = result.push(finding) - 1
    } else result.push(finding)
  }
  return result
}

/** Words with capitals between two parts of an address, which are towns that no list has. */
const unknownTowns = /^[\s,.>]{1,4}(?:\p{Lu}[\p{L}\p{M}'’.-]{0,24}[\s,>]{1,4}){1,4}$/u
const maxDistance = 60

const areOneAddress = (one: FindingWithKind, other: FindingWithKind, text: string): boolean =>
  (maySeparate(text, one.end, other.start) || isBetween(one, other, text)) &&
  other.end - one.start <= maxAddressLength &&
  (one.kind === undefined || one.kind !== other.kind)

const addressKinds = new Set(['number', 'street', 'secondary', 'zip', 'address'])

const isBetween = (one: FindingWithKind, other: FindingWithKind, text: string): boolean =>
  addressKinds.has(one.kind ?? '') &&
  (addressKinds.has(other.kind ?? '') || other.kind === 'country') &&
  other.start - one.end <= maxDistance &&
  unknownTowns.test(text.slice(one.end, other.start))
