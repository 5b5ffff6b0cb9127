import type { Finding } from '@sallyport/core'
import type { Recognizer } from '../recognizers/recognizer.js'

/** What stands between two parts of one address. */
const separator = /^[\s,>]{1,6}$/u

export const maySeparate = (text: string, from: number, to: number): boolean =>
  to >= from && to - from <= 6 && (to === from || separator.test(text.slice(from, to)))

/** Parts of addresses are found by themselves and joined. */
export const joinsNeighbours = ({ entity }: Pick<Recognizer, 'entity'>): boolean => entity === 'LOCATION'

/** UTF-16 units of the longest address. */
const maxAddress = 240

/** A finding that may be joined with neighbours of another kind. */
export interface PartFinding extends Finding {
  /** Neighbours of the same kind are not one: `France, Spain`. */
  readonly kind?: string | undefined
}

/** Places that stand beside each other as one, with the best of their scores. In order of their start. */
export const joinNeighbours = <Some extends PartFinding>(findings: readonly Some[], text: string): Some[] => {
  const result: Some[] = []
  let last: number | undefined
  for (const finding of findings) {
    const before = last === undefined ? undefined : result[last]
    if (joinsNeighbours({ entity: finding.type })) {
      if (before && last !== undefined && belong(before, finding, text))
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

/** Names of towns that nobody knows, between two parts of one address. */
const between = /^[\s,.>]{1,4}(?:\p{Lu}[\p{L}\p{M}'’.-]{0,24}[\s,>]{1,4}){1,4}$/u
const maxBetween = 60

const belong = (one: PartFinding, other: PartFinding, text: string): boolean =>
  (maySeparate(text, one.end, other.start) || isBetween(one, other, text)) &&
  other.end - one.start <= maxAddress &&
  (one.kind === undefined || one.kind !== other.kind)

const addressKinds = new Set(['number', 'street', 'secondary', 'zip', 'address'])

const isBetween = (one: PartFinding, other: PartFinding, text: string): boolean =>
  addressKinds.has(one.kind ?? '') &&
  (addressKinds.has(other.kind ?? '') || other.kind === 'country') &&
  other.start - one.end <= maxBetween &&
  between.test(text.slice(one.end, other.start))
