import type { LinksOptions, Reported } from './check.js'
import type { Construct } from './constructs.js'
import { destinationsOf, isListed, isLoopback } from './destinations.js'
import type { Destination } from './destinations.js'

/** Loads or runs something, carries data, or leads elsewhere: how sure it is that nobody wants that. */
const scores = { script: 0.95, loaded: 0.9, data: 0.8, any: 0.6 } as const

/** The score of what leads where it must not; undefined where it may stay. */
export const judge = ({ type, addresses, isLoaded }: Construct, options: LinksOptions): number | undefined => {
  const reported = isLoaded ? 'any' : type === 'ADDRESS' ? options.addresses : options.links
  const found = addresses
    .flatMap((address) => destinationsOf(address, isLoaded))
    .flatMap((destination) => scoreOf(destination, isLoaded, reported, options.allow) ?? [])
  return found.length ? Math.max(...found) : undefined
}

const scoreOf = (
  destination: Destination,
  isLoaded: boolean,
  reported: Reported,
  allow: readonly string[],
): number | undefined => {
  if (destination.kind === 'own') return undefined
  if (destination.kind === 'script') return scores.script
  const { host, carriesData } = destination
  if (isListed(host, allow)) return undefined
  if (isLoaded) return scores.loaded
  if (reported === 'none' || isLoopback(host)) return undefined
  if (carriesData) return scores.data
  return reported === 'any' ? scores.any : undefined
}
