import { isIP } from 'node:net'
import { eitherCase } from '../patterns/words.js'
import { raw } from '../patterns/raw-regex.js'
import { wordsOf } from '../words/lists.js'
import type { Recognizer } from './recognizer.js'
import data from './ip.json' with { type: 'json' }

/** Addresses that identify no machine (RFC 6890): loopback, this network, masks and broadcast. */
const specialAddress = /^(?:0|127|255)(?:\.\d{1,3}){3}$/

const number = String.raw`\d{1,5}(?:\.\d{1,5}){1,3}`
/** The text that may be between a word for versions or sections and a number, such as another number. */
const between = String.raw`(?:["':=,#]?\s{0,2}["':=(]?\s?(?:v?${number}|from|to|and|or|is|was|no\.|number|de|a|à|auf|von|bis|y|et|und|moved|goes|went|since|until|before|after|than)){0,3}["':=,#\x60]{0,2}\s{0,8}["'=(\x60]?`

/** After one of these, four numbers are a version or a section: `firmware 4.0.1.7`, `app:1.2.3.4`, `see 3.4.1.2`. */
const afterOtherWord = [
  String.raw`(?<![\p{L}\p{N}])(?:${eitherCase(data.versionWords.join('|'))})s?${between}`,
  String.raw`(?<![\p{L}\p{N}])(?:${eitherCase(wordsOf(...data.sectionWords).join('|'))})\.?${between}`,
  String.raw`[§第≤≥^]\s?`,
  String.raw`[<>]=\s?`,
  String.raw`[\p{L}\p{N}-]/[\p{L}\p{N}_.-]{1,40}:`,
  String.raw`(?<![\p{L}\p{N}])(?:image|images|pull|pulled|docker run|FROM)[:=]? {1,2}["']?[\p{L}\p{N}_.-]{1,30}:`,
  String.raw`\p{L}\.\p{L}[\p{L}\p{N}.-]{0,30}:[\p{L}\p{N}_.-]{1,30}:`,
  String.raw`(?<![\p{L}\p{N}])(?:install|add|require) [\p{L}\p{N}@/_.-]{1,30}(?:@|={1,2})`,
].join('|')

const quad = String.raw`(?:\d{1,3}\.){3}\d{1,3}`
/** Four numbers below 100, as sections and versions have; few addresses do, of which most are private and begin with 10. */
const small = String.raw`(?!10\.)(?:\d{1,2}\.){3}\d{1,2}(?!\d)`

const lineStart = String.raw`(?<![^\n])[ \t]{0,16}(?:[#*>•-]{1,6}[ \t]{1,4})?`
/** The number of a heading: at the start of a line, without a zero, with words behind it. */
const heading = String.raw`(?<=${lineStart})(?:[1-9]\d?\.){3}[1-9]\d?(?:\.[ \t]{1,8}["“‘(]?\p{L}|[ \t]{1,8}["“‘(]?\p{L}[\p{Ll} ]|\.?\n\n\p{Lu})`

/** What is only before an address: `root@`, `http://`, `host=`, `mx.example.org [`, a time, a word such as `ping`. */
const beforeAddress = [
  '@|://|\\p{L}["\']?=["\']?|\\p{L}:|\\p{L}\\.\\p{L}{2,24} ?[[(]',
  String.raw`:\d\d(?:[.,]\d{1,6})?(?:Z|[+-]\d\d:?\d\d)?[\])]?[ \t]{1,3}`,
  String.raw`(?<![\p{L}\p{N}])(?:${wordsOf(data.directWords).join('|')})[:=]?[ \t]{1,3}["']?`,
].join('|')
/** What is only behind an address: a mask, a port, the rest of a line of a web server's log, a name of a host. */
const behindAddress = [
  String.raw`/\d{1,2}(?!\d)|:(?:\d{2,5}(?![\d.])|\*)| port \d`,
  String.raw`[ \t]{1,4}- (?:-|[\w.@-]{1,32}) \[|[ \t]{1,4}"?(?:GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH|CONNECT) `,
  String.raw`(?:\t| {2})[ \t]{0,38}[a-z\d-]{1,63}\.(?:[a-z\d-]{1,63}\.){0,4}[a-z]{2,24}(?![\p{L}\p{N}])`,
].join('|')

const before = String.raw`(?<![\p{L}\p{N}.])(?=\d{1,3}\.)(?<!${afterOtherWord})`
const behind = String.raw`(?:/\d{1,2})?(?![\p{L}\p{N}]|\.\d|[+~]\p{L}|-\d{1,2}[\w.+~]{0,16}\)|-(?:alpha|beta|rc|dev|pre|snapshot|SNAPSHOT|RELEASE))`

/** A number before two colons, and a year before a time: `2018::18:30:19`. */
const numberOrTime = /^\d{1,4}::(?:\d\d(?::\d\d){1,2})?$/

/** `::` and the like are code, not addresses. */
const validate = (match: string): boolean => {
  const [address = ''] = match.replace(/[[\]()]/g, '').split(/[/%]/)
  if (specialAddress.test(address) || numberOrTime.test(match)) return false
  return (
    isIP(address) === 4 ||
    (isIP(address) === 6 && /\d|[a-f]{4}/.test(address) && address.replace(/[^a-f\d]/gi, '').length > 2)
  )
}

export const ipAddress: Recognizer = {
  entity: 'IP_ADDRESS',
  patterns: [
    {
      regex: raw.u`${before}(?:(?!${small}|${heading})|(?<=${beforeAddress})|(?=${quad}(?:${behindAddress})))${quad}${behind}`,
      score: 0.85,
    },
    { regex: raw.u`${before}(?=${small})(?!${heading})${quad}${behind}`, score: 0.35 },
    {
      regex:
        /(?<![\p{L}\p{N}:.])(?:[a-f\d]{0,4}:){2,7}(?:(?:\d{1,3}\.){3}\d{1,3}|[a-f\d]{1,4})?(?:%[a-z\d]{1,16})?(?:\/\d{1,3})?(?![\p{L}\p{N}:])/iu,
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
  context: data.context,
  otherContext: wordsOf(...data.sectionWords),
  examples: data.examples,
  counterExamples: data.counterExamples,
}
