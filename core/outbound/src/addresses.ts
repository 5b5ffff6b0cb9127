/** Which IP addresses may be connected to. */

import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>

/** What an operator can allow. Everything else that is not public is never allowed. */
const privateRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'carrierGradeNat', 'uniqueLocal'])

/** IPv6 has more than is public outside of this one: embedded IPv4 addresses, and what is not assigned. */
const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Give credentials to whatever asks from inside a cloud, and are neither link-local nor recognisable by their range. */
const metadataServices: readonly Address[] = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map(
  (text) => ipaddr.parse(text),
)

/**
 * The address in its usual spelling where it may be connected to, else undefined. Refused are, always: link-local,
 * multicast, unspecified, documentation and other reserved ranges, IPv4 inside IPv6 in every form, and the metadata
 * services of clouds; private, shared (CGNAT) and loopback addresses unless they are allowed.
 * @param text an IP address
 */
export const allowedAddress = (text: string, privateAddresses: boolean): string | undefined => {
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.parse(text)
  const allowed = isPublic(address) || (privateAddresses && privateRanges.has(address.range()))
  return allowed && !isMetadataService(address) ? address.toString() : undefined
}

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (!(address instanceof ipaddr.IPv6) || address.match(publicIPv6))

const isMetadataService = (address: Address): boolean => {
  const text = address.toString()
  return metadataServices.some((service) => service.toString() === text)
}
