import { isIP } from 'node:net'
import { eitherCase } from '../patterns/words.js'
import { raw } from '../patterns/raw-regex.js'
import type { Recognizer } from './recognizer.js'
import data from './ip.json' with { type: 'json' }

/** Addresses that identify no machine (RFC 6890): loopback, unspecified, broadcast. */
const specialAddress = /^(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|255\.255\.255\.255)$/

const number = String.raw`\d{1,5}(?:\.\d{1,5}){1,3}`
/** The text that may be between a word for versions and a version, such as another version. */
const between = String.raw`(?:["':=,#]?\s{0,2}["':=(]?\s?(?:v?${number}|from|to|and|or|is|was|no\.|number|de|a|à|auf|von|bis|y|et|und|moved|goes|went|since|until|before|after|than)){0,3}["':=,#]{0,2}\s{0,2}["'=(]?`
const versionWords =
  'version|versión|versione|versão|versie|release|firmware|build|revision|upgrad(?:e|ed|es|ing) from|updat(?:e|ed|es|ing) from|bump(?:s|ed)? (?:from|to)|downgrad(?:e|ed|es|ing) (?:from|to)'

/** After one of these, four numbers are a version: `firmware 4.0.1.7`, `registry/app:1.2.3.4`, `install a=1.2.3.4`. */
const afterVersionWord = [
  String.raw`(?<![\p{L}\p{N}])(?:${eitherCase(versionWords)})s?${between}`,
  String.raw`[\p{L}\p{N}-]/[\p{L}\p{N}_.-]{1,40}:`,
  String.raw`(?<![\p{L}\p{N}])(?:image|images|pull|pulled|docker run|FROM)[:=]? {1,2}["']?[\p{L}\p{N}_.-]{1,30}:`,
  String.raw`\p{L}\.\p{L}[\p{L}\p{N}.-]{0,30}:[\p{L}\p{N}_.-]{1,30}:`,
  String.raw`(?<![\p{L}\p{N}])(?:install|add|require) [\p{L}\p{N}@/_.-]{1,30}(?:@|={1,2})`,
].join('|')

/** `::` and the like are code, not addresses. */
const validate = (match: string): boolean => {
  const [address = ''] = match.replace(/[[\]()]/g, '').split(/[/%]/)
  if (specialAddress.test(address)) return false
  return isIP(address) === 4 || (isIP(address) === 6 && address.replace(/[^a-f\d]/gi, '').length > 2)
}

export const ipAddress: Recognizer = {
  entity: 'IP_ADDRESS',
  patterns: [
    {
      regex: raw.u`(?<![\p{L}\p{N}.])(?=\d{1,3}\.)(?<!${afterVersionWord})(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?(?![\p{L}\p{N}]|\.\d|-(?:alpha|beta|rc|dev|pre|snapshot|SNAPSHOT|RELEASE))`,
      score: 0.85,
    },
    {
      regex:
        /(?<![\p{L}\p{N}:.])(?:[a-f\d]{0,4}:){2,7}(?:[a-f\d]{1,4}|(?:\d{1,3}\.){3}\d{1,3})?(?:%[a-z\d]{1,16})?(?:\/\d{1,3})?(?![\p{L}\p{N}:])/iu,
      score: 0.85,
    },
    {
      regex:
        /(?<![\p{L}\p{N}.])(?=[\d.]{1,12}[[(])(?:\d{1,3}(?:\.|\[\.\]|\(\.\))){3}\d{1,3}(?![\p{L}\p{N}]|\.\d|[[(]\.)/u,
      score: 0.85,
    },
  ],
  validate,
  invalidInContext: false,
  ...data,
}
