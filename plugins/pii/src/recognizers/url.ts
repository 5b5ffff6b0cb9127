import { isSureDomain, isTopLevelDomain } from '../words/domains.js'
import { domainDot } from './email.js'
import { beginsWord } from '../patterns/boundaries.js'
import { raw } from '../patterns/raw-regex.js'
import type { Recognizer } from './recognizer.js'
import data from './url.json' with { type: 'json' }

const rest = String.raw`(?:[/?#](?:[^\s<>"'{}|\\^\x60]{0,2000}[^\s<>"'{}|\\^\x60.,;:!?)\]*])?)?`

/**
 * URLs with a scheme are valid; bare names only if they are surely domains, or have a path or `www` and a top-level
 * domain.
 */
const validate = (match: string): boolean => {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(match)) return true
  const name = match.replace(/[/?#:][^]*$/, '').replace(/[·。]/g, '.')
  if (/[/?#:]/.test(match) || /^www\./i.test(name)) return isTopLevelDomain(name.split('.').at(-1) ?? '')
  return isSureDomain(name)
}

export const url: Recognizer = {
  entity: 'URL',
  patterns: [
    {
      regex:
        /(?<![\p{L}\p{N}])(?:https?|ftps?|sftp|wss?|ssh|git):\/\/(?:(?:[^\s<>"'{}|\\^`\]]|\](?!\()){0,2000}[^\s<>"'{}|\\^`.,;:!?)\]*])/iu,
      score: 0.95,
    },
    {
      regex: raw.iu`(?<![\p{L}\p{N}@._/:-])${beginsWord}(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})${domainDot}){1,6}[a-z]{2,24}(?![\p{L}\p{N}@_(-]|\.[\p{L}\p{N}])(?::\d{2,5})?${rest}`,
      score: 0.6,
    },
  ],
  validate,
  invalidInContext: false,
  ...data,
}
