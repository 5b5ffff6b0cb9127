/** Finds credentials that are told by what stands before them: names that values are given to, headers, addresses. */

import { matchesInTurns } from '@sallyport/kit/views'
import { endAt } from './candidate.js'
import type { Candidate } from './candidate.js'
import { isDecodedPair, isPassword, isRandom, isStandIn, saysWords } from './randomness.js'

/** A way to give a credential away. All patterns are sticky but for the anchor, and have bounds. */
interface Context {
  readonly type: string
  /** Source of what it is searched by, in any case. */
  readonly anchor: string
  /** What stands between that and the value. */
  readonly lead: RegExp
  /** The characters of a value. */
  readonly value: RegExp
  /** What must follow the value. */
  readonly behind?: RegExp
  readonly score: (value: string) => number | undefined
}

const [sure, likely, possible, doubtful] = [0.9, 0.75, 0.65, 0.55]

const secretName =
  'secret(?:[-_ ]?(?:access[-_ ]?)?key)?|(?:api|access|auth|private|signing|encryption|account|master|license|service|ssh)[-_ ]?key|' +
  '(?:auth|access|bearer|refresh|api|session|bot|deploy)?[-_ ]?token|credential'
const passwordName = String.raw`pass(?:word|wort|wd|phrase|code)|(?<![a-z])pass|pwd|kennwort|mot de passe|contrase(?:n|ñ)a|palavra-passe|senha|wachtwoord|пароль|密[码碼]|パスワード`
/** What may follow in a name: `SECRET_KEY_PROD`, `passwords`, `token2`. */
const restOfName = String.raw`s?(?:[-_](?!name|id\b|type|file|path|url|count)\w{1,16}){0,3}\d{0,2}`
/** `: `, `=`, `=>`, `", "` of a definition, `(` of a setter, `>` of an element, and words. */
const given = String.raw`["'\x60\])]{0,3}(?:\s{0,8}(?::=|=>|===?|[:=](?!:))|["'],|\s{1,2}(?:is|was|are|ist|lautet|est|es|é|e)(?::|\s)|(?<=\w)[>(](?=["'\w]))\s{0,8}(?:[bru]?["'\x60])?`

const isCode =
  /^(?:[$@%&*]|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|\.{0,2}\/[\w.-]{0,16}(?:\/|$)|\.{1,2}\/|[a-z][\w+-]{1,8}:)|[()[\]{}|\\]|===|&&|^(?:process|env|os|config|self|this|req|props|options)\./
/** Words with numbers behind them, parted by signs: `my-app-v2`. */
const isName = /^[a-z]+(?:[-_.][a-z]*\d*)+$|^[a-z]+\d$/i
const commonPassword =
  /^(?:[a-z]*pass(?:word|wd)?[-_!@#$.]?\d{0,4}!?|p[a4@][s$5]{2}w[o0]rd\d{0,4}!?|admin\d*|secret\d*|test\d*|user\d*)$/i

const ofSecret = (value: string): number | undefined =>
  isStandIn(value) || isCode.test(value) || !isRandom(value) ? undefined : likely

const ofPassword = (value: string): number | undefined => {
  if (isStandIn(value) || isCode.test(value) || commonPassword.test(value)) return undefined
  if (isRandom(value)) return likely
  if (isPassword(value, 3)) return possible
  return isPassword(value, 2) && !isName.test(value) ? doubtful : undefined
}

/** Scores a password in an address, where nothing else stands. */
const ofAddress = (value: string): number | undefined => {
  if (isStandIn(value) || /^[$%{]|[()[\]{}]/.test(value) || commonPassword.test(value)) return undefined
  return isPassword(value, 2) || (value.length >= 8 && !saysWords(value)) ? sure : undefined
}

const ofHeader = (value: string): number | undefined => (ofSecret(value) === undefined ? undefined : sure)

const header = String.raw`authorization["'\])]{0,3}\s{0,2}[:=,]\s{0,4}["'\x60]?`
const quoted = /[^\s"'`<>,;(){}[\]\\]{1,512}/y
const inAddress = /[^\s/@"'`<>\\]{1,256}/y
const inHeader = /[\w.~+/=-]{1,1024}/y

const contexts: readonly Context[] = [
  {
    type: 'SECRET',
    anchor: secretName,
    lead: new RegExp(restOfName + given, 'iy'),
    value: quoted,
    behind: /(?![([])/y,
    score: ofSecret,
  },
  {
    type: 'PASSWORD',
    anchor: passwordName,
    lead: new RegExp(restOfName + given, 'iy'),
    value: quoted,
    behind: /(?!\()/y,
    score: ofPassword,
  },
  {
    type: 'PASSWORD',
    anchor: '--(?:[a-z]{1,12}-)?(?:password|token|secret|api-key|pass)',
    lead: /[ =]["']?/y,
    value: quoted,
    score: ofPassword,
  },
  {
    type: 'PASSWORD',
    anchor: 'curl ',
    lead: /[^\n]{0,120}?(?<=\s)(?:-u|--user)[ =]?["']?[\w.@+-]{1,64}:/y,
    value: inAddress,
    score: ofPassword,
  },
  {
    type: 'URL_PASSWORD',
    anchor: '://',
    lead: /[^\s/:@"'`<>?#\\]{0,128}:/y,
    value: inAddress,
    behind: /@/y,
    score: ofAddress,
  },
  {
    type: 'AUTHORIZATION',
    anchor: 'bearer',
    lead: /[ :]{1,4}["']?/y,
    value: inHeader,
    score: ofHeader,
  },
  {
    type: 'AUTHORIZATION',
    anchor: `${header}basic`,
    lead: / {1,4}/y,
    value: inHeader,
    score: (value) => (isDecodedPair(value) ? sure : undefined),
  },
  { type: 'AUTHORIZATION', anchor: `${header}(?:token|apikey|key)`, lead: / {1,4}/y, value: inHeader, score: ofHeader },
  {
    type: 'NETRC_PASSWORD',
    anchor: String.raw`login\s{1,8}`,
    lead: /[^\s]{1,64}\s{1,8}password\s{1,8}/y,
    value: /\S{1,256}/y,
    score: (value) => (isStandIn(value) || commonPassword.test(value) || value.length < 6 ? undefined : likely),
  },
]

const searches = contexts.map((context) => ({ ...context, search: new RegExp(context.anchor, 'gi') }))
const maxAnchor = 128

/** Yields undefined where others may have their turn. */
export function* givenIn(text: string): Generator<Candidate | undefined> {
  for (const context of searches)
    for (const found of matchesInTurns(text, context.search, { before: 1, longest: 2 * maxAnchor }))
      yield found && candidateBehind(text, found.index + found.match.length, context)
}

const candidateBehind = (text: string, at: number, context: Context): Candidate | undefined => {
  const start = endAt(context.lead, text, at)
  const reach = start === undefined ? undefined : endAt(context.value, text, start)
  if (start === undefined || reach === undefined) return undefined
  const end = reach - (/[.:]+$/.exec(text.slice(start, reach))?.[0].length ?? 0)
  const isWhole = !context.behind || endAt(context.behind, text, reach) !== undefined
  const score = isWhole && end > start ? context.score(text.slice(start, end)) : undefined
  return { type: context.type, start, end, score, reach }
}
