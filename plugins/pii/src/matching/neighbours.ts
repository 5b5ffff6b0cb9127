import type { Finding } from '@sallyport/core'

/** The string between two parts of one address. */
const separator = /^[\s,>]{1,6}$/u

export const maySeparate = (text: string, from: number, to: number): boolean =>
  to >= from && to - from <= 6 && (to === from || separator.test(text.slice(from, to)))

/** Whether neighbouring findings of an entity type are joined: parts of addresses are found one by one. */
export const joinsNeighbours = (type: string): boolean => type === 'LOCATION'

const maxAddressLength = 240

/** A finding with the kind of its recogniser. Locations are joined with neighbours of another kind. */
export interface FindingWithKind extends Finding {
  /** Neighbours of the same kind stay apart: `France, Spain`. */
  readonly kind?: string | undefined
}

/** Joins neighbouring locations, with the highest of their scores. Findings and result are sorted by start. */
export const joinNeighbours = <Some extends FindingWithKind>(findings: readonly Some[], text: string): Some[] => {
  const result: Some[] = []
  let lastLocation = -1
  for (const finding of findings) {
    const { type, kind } = finding
    const last = result[lastLocation]
    if (!joinsNeighbours(type)) result.push(finding)
    else if (last && areOneAddress(last, finding, text)) {
      const [end, score] = [Math.max(last.end, finding.end), Math.max(last.score, finding.score)]
      result[lastLocation] = { ...last, end, score, kind }
    } else lastLocation = result.push(finding) - 1
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
