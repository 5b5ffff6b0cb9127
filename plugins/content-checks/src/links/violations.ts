import { countUpTo, maxOf } from '@sallyport/kit/lists'
import type { LinksOptions, Reported } from './check.js'
import type { Construct } from './constructs.js'
import { destinationsOf, isListed, isLoopback } from './destinations.js'
import type { Destination } from './destinations.js'

/** Scores by what an address does: it runs a script, is loaded, carries data, or leads to another host. */
const scores = { script: 0.95, loaded: 0.9, data: 0.8, any: 0.6 } as const

/** A construct that must be removed. */
export interface Violation extends Construct {
  readonly score: number
}

/** The score is undefined for a construct that may stay. */
interface ScoredConstruct extends Construct {
  readonly score: number | undefined
}

export const scoreWith =
  (options: LinksOptions, ignore: readonly string[]) =>
  (construct: Construct): ScoredConstruct => ({
    ...construct,
    score: ignore.includes(construct.type) ? undefined : scoreOfConstruct(construct, options),
  })

/** The constructs that must be removed, with the tags and targets around them. */
export const violationsIn = (constructs: readonly ScoredConstruct[]): Violation[] => {
  const violations = constructs.filter((one): one is Violation => one.score !== undefined)
  violations.sort((a, b) => a.start - b.start)
  const starts = violations.map(({ start }) => start)
  const enclosing = constructs.flatMap((construct) => {
    const inside = construct.innerStart === undefined ? undefined : violations[countUpTo(starts, construct.innerStart)]
    return inside && inside.start < construct.end ? [{ ...construct, score: inside.score }] : []
  })
  return [...violations, ...enclosing]
}

/** The highest score of its destinations; undefined for a construct that may stay. */
const scoreOfConstruct = ({ type, addresses, isLoaded }: Construct, options: LinksOptions): number | undefined => {
  const reported = isLoaded ? 'any' : type === 'ADDRESS' ? options.addresses : options.links
  const found = addresses
    .flatMap((address) => destinationsOf(address, isLoaded))
    .flatMap((destination) => scoreOfDestination(destination, isLoaded, reported, options.allow) ?? [])
  return found.length ? maxOf(found) : undefined
}

const scoreOfDestination = (
  destination: Destination,
  isLoaded: boolean,
  reported: Reported,
  allow: readonly string[],
): number | undefined => {
  if (destination.kind === 'local') return undefined
  if (destination.kind === 'script') return scores.script
  const { host, carriesData } = destination
  if (isListed(host, allow)) return undefined
  if (isLoaded) return scores.loaded
  if (reported === 'none' || isLoopback(host)) return undefined
  if (carriesData) return scores.data
  return reported === 'any' ? scores.any : undefined
}
