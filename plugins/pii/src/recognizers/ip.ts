import { isIP } from 'node:net'
import type { Recognizer } from './recognizer.js'

/** Of every machine (RFC 6890): loopback, unspecified, broadcast. */
const ofEverybody = /^(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|255\.255\.255\.255)$/

/** `::` and the like are code, not addresses. */
const validate = (match: string): boolean => {
  const [address = ''] = match.split(/[/%]/)
  if (ofEverybody.test(address)) return false
  return isIP(address) === 4 || (isIP(address) === 6 && address.replace(/[^a-f\d]/gi, '').length > 2)
}

export const ipAddress: Recognizer = {
  entity: 'IP_ADDRESS',
  patterns: [
    { regex: /(?<![\p{L}\p{N}.])(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?(?![\p{L}\p{N}]|\.\d)/u, score: 0.85 },
    {
      regex:
        /(?<![\p{L}\p{N}:.])(?:[a-f\d]{0,4}:){2,7}(?:[a-f\d]{1,4}|(?:\d{1,3}\.){3}\d{1,3})?(?:%[a-z\d]{1,16})?(?:\/\d{1,3})?(?![\p{L}\p{N}:])/iu,
      score: 0.85,
    },
  ],
  validate,
  invalidInContext: false,
  context: ['ip', 'ipv4', 'ipv6', 'address', 'host'],
  examples: [
    '192.168.0.1',
    'from [10.1.2.3]:8080',
    '2001:db8::ff00:42:8329',
    'fe80::1ff:fe23:4567:890a%eth0',
    '10.0.0.0/8',
    '::ffff:192.0.2.1',
  ],
  counterExamples: [
    '999.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    '10:30:00',
    'std::vector',
    '::',
    'a::b::c',
    '127.0.0.1',
    '0.0.0.0',
  ],
}
