import { Resolver } from 'node:dns/promises'
import { onAbort } from '@sallyport/kit/async'

/** The IP addresses of a host name. Rejects when it has none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>

const loopback = ['127.0.0.1', '::1']

/**
 * Asks the DNS servers of the system directly. The system's resolver (`getaddrinfo`) would block one of the few threads
 * of the process for as long as a name server likes, and the author of the address may own the name server.
 */
export const resolveByDns: Resolve = async (name, signal) => {
  if (/(?:^|\.)localhost\.?$/i.test(name)) return loopback
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const unlink = onAbort(signal, () => resolver.cancel())
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length) return addresses
    throw new AggregateError(
      answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : [])),
    )
  } finally {
    unlink()
  }
}
