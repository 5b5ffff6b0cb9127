import { isIP } from 'node:net'
import { either } from '../patterns/either-case.js'
import type { Recognizer } from './recognizer.js'

/** Of every machine (RFC 6890): loopback, unspecified, broadcast. */
const ofEverybody = /^(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|255\.255\.255\.255)$/

const number = String.raw`\d{1,5}(?:\.\d{1,5}){1,3}`
/** What may stand between the word that tells of a version and one: another version, too. */
const between = String.raw`(?:["':=,#]?\s{0,2}["':=(]?\s?(?:v?${number}|from|to|and|or|is|was|no\.|number|de|a|à|auf|von|bis|y|et|und|moved|goes|went|since|until|before|after|than)){0,3}["':=,#]{0,2}\s{0,2}["'=(]?`
const versioned =
  'version|versión|versione|versão|versie|release|firmware|build|revision|upgrad(?:e|ed|es|ing) from|updat(?:e|ed|es|ing) from|bump(?:s|ed)? (?:from|to)|downgrad(?:e|ed|es|ing) (?:from|to)'

/** Behind these, four numbers are a version: `firmware 4.0.1.7`, `registry/app:1.2.3.4`, `install a=1.2.3.4`. */
const behindVersion = [
  String.raw`(?<![\p{L}\p{N}])(?:${either(versioned)})s?${between}`,
  String.raw`[\p{L}\p{N}-]/[\p{L}\p{N}_.-]{1,40}:`,
  String.raw`(?<![\p{L}\p{N}])(?:image|images|pull|pulled|docker run|FROM)[:=]? {1,2}["']?[\p{L}\p{N}_.-]{1,30}:`,
  String.raw`\p{L}\.\p{L}[\p{L}\p{N}.-]{0,30}:[\p{L}\p{N}_.-]{1,30}:`,
  String.raw`(?<![\p{L}\p{N}])(?:install|add|require) [\p{L}\p{N}@/_.-]{1,30}(?:@|={1,2})`,
].join('|')

/** `::` and the like are code, not addresses. */
const validate = (match: string): boolean => {
  const [address = ''] = match.replace(/[[\]()]/g, '').split(/[/%]/)
  if (ofEverybody.test(address)) return false
  return isIP(address) === 4 || (isIP(address) === 6 && address.replace(/[^a-f\d]/gi, '').length > 2)
}

export const ipAddress: Recognizer = {
  entity: 'IP_ADDRESS',
  patterns: [
    {
      regex: new RegExp(
        String.raw`(?<![\p{L}\p{N}.])(?=\d{1,3}\.)(?<!${behindVersion})(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?(?![\p{L}\p{N}]|\.\d|-(?:alpha|beta|rc|dev|pre|snapshot|SNAPSHOT|RELEASE))`,
        'u',
      ),
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
  context: ['ip', 'ipv4', 'ipv6', 'address', 'host'],
  examples: [
    '192.168.0.1',
    'from [10.1.2.3]:8080',
    '2001:db8::ff00:42:8329',
    'fe80::1ff:fe23:4567:890a%eth0',
    '10.0.0.0/8',
    '::ffff:192.0.2.1',
    'the build server is [10.2.3.4]',
    'upgrade the host [10.2.3.4] first',
    'IP version 4 address 10.2.3.4',
    'the new version runs on [10.2.3.4]',
    'moved from [10.2.3.4] to a new rack',
    'root@10.2.3.4',
    'server:10.2.3.4',
    'host=10.2.3.4',
    'the release is at [10.2.3.4]',
    'http://10.2.3.4',
    '192(.)0(.)2(.)44',
    'see [192[.]0[.]2[.]44]',
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
    'firmware 4.11.0.7',
    '"version": "5.10.2.3"',
    'Build 6.1.2.3 failed',
    'Bumped from 6.1.2.3 to 6.2',
    'upgraded from 7.2.3.4 to 7.2.3.5',
    'versions 2.4.0.1 and 2.4.0.2',
    'pull registry.example/team/tool:3.1.2.4',
    'image: redis:7.2.0.4',
    'org.example:parser:1.0.2.3',
    'install curl=8.5.0.2',
    '4.1.2.3-rc1',
    '999[.]1[.]1[.]1',
    '1[.]2[.]3',
  ],
}
