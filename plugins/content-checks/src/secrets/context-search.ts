/** Finds credentials by the text before them: a name and an assignment, a header, the user of a URL. */

import { matchesInTurns } from '@sallyport/kit/views'
import { endAt } from './candidate.js'
import type { Candidate } from './candidate.js'
import { isBasicCredential, isPassword, isRandom, isPlaceholder, consistsOfWords } from './randomness.js'

/** A context in which credentials occur. All patterns but the anchor are sticky and bounded. */
interface Context {
  readonly type: string
  /** The source of the pattern that is searched first, without regard to case. */
  readonly anchor: string
  /** Matches the text between the anchor and the value. */
  readonly lead: RegExp
  /** The characters of a value. */
  readonly value: RegExp
  /** Matches the text that must follow the value. */
  readonly after?: RegExp
  readonly score: (value: string) => number | undefined
}

const [sure, likely, possible, doubtful] = [0.9, 0.75, 0.65, 0.55]

const secretName =
  'secret(?:[-_ ]?(?:access[-_ ]?)?key)?|(?:api|access|auth|private|signing|encryption|account|master|license|service|ssh)[-_ ]?key|' +
  '(?:auth|access|bearer|refresh|api|session|bot|deploy)?[-_ ]?token|credential'
const passwordName = String.raw`pass(?:word|wort|wd|phrase|code)|(?<![a-z])pass|pwd|kennwort|mot de passe|contrase(?:n|ñ)a|palavra-passe|senha|wachtwoord|пароль|密[码碼]|パスワード`
/** The rest of a name: `SECRET_KEY_PROD`, `passwords`, `token2`. */
const restOfName = String.raw`s?(?:[-_](?!name|id\b|type|file|path|url|count)\w{1,16}){0,3}\d{0,2}`
/** What assigns a value: `: `, `=`, `=>`, `", "` of a definition, `(` of a setter, `>` of an element, or `is`. */
const assignment = String.raw`["'\x60\])]{0,3}(?:\s{0,8}(?::=|=>|===?|[:=](?!:))|["'],|\s{1,2}(?:is|was|are|ist|lautet|est|es|é|e)(?::|\s)|(?<=\w)[>(](?=["'\w]))\s{0,8}(?:[bru]?["'\x60])?`

const codeLike =
  /^(?:[$@%&*]|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|\.{0,2}\/[\w.-]{0,16}(?:\/|$)|\.{1,2}\/|[a-z][\w+-]{1,8}:)|[()[\]{}|\\]|===|&&|^(?:process|env|os|config|self|this|req|props|options)\./
/** Words and numbers with symbols between them: `my-app-v2`. */
const nameLike = /^[a-z]+(?:[-_.][a-z]*\d*)+$|^[a-z]+\d$/i
const commonPassword =
  /^(?:[a-z]*pass(?:word|wd)?[-_!@#$.]?\d{0,4}!?|p[a4@][s$5]{2}w[o0]rd\d{0,4}!?|admin\d*|secret\d*|test\d*|user\d*)$/i

const scoreOfSecret = (value: string): number | undefined =>
  isPlaceholder(value) || codeLike.test(value) || !isRandom(value) ? undefined : likely

const scoreOfPassword = (value: string): number | undefined => {
  if (isPlaceholder(value) || codeLike.test(value) || commonPassword.test(value)) return undefined
  if (isRandom(value)) return likely
  if (isPassword(value, 3)) return possible
  return isPassword(value, 2) && !nameLike.test(value) ? doubtful : undefined
}

/** Scores the password of a URL: nothing else can be at its position. */
const scoreOfUrlPassword = (value: string): number | undefined => {
  if (isPlaceholder(value) || /^[$%{]|[()[\]{}]/.test(value) || commonPassword.test(value)) return undefined
  return isPassword(value, 2) || (value.length >= 8 && !consistsOfWords(value)) ? sure : undefined
}

const scoreOfHeader = (value: string): number | undefined => (scoreOfSecret(value) === undefined ? undefined : sure)

const header = String.raw`authorization["'\])]{0,3}\s{0,2}[:=,]\s{0,4}["'\x60]?`
const quotedValue = /[^\s"'`<>,;(){}[\]\\]{1,512}/y
const urlValue = /[^\s/@"'`<>\\]{1,256}/y
const headerValue = /[\w.~+/=-]{1,1024}/y

const contexts: readonly Context[] = [
  {
    type: 'SECRET',
    anchor: secretName,
    lead: new RegExp(restOfName + assignment, 'iy'),
    value: quotedValue,
    after: /(?![([])/y,
    score: scoreOfSecret,
  },
  {
    type: 'PASSWORD',
    anchor: passwordName,
    lead: new RegExp(restOfName + assignment, 'iy'),
    value: quotedValue,
    after: /(?!\()/y,
    score: scoreOfPassword,
  },
  {
    type: 'PASSWORD',
    anchor: '--(?:[a-z]{1,12}-)?(?:password|token|secret|api-key|pass)',
    lead: /[ =]["']?/y,
    value: quotedValue,
    score: scoreOfPassword,
  },
  {
    type: 'PASSWORD',
    anchor: 'curl ',
    lead: /[^\n]{0,120}?(?<=\s)(?:-u|--user)[ =]?["']?[\w.@+-]{1,64}:/y,
    value: urlValue,
    score: scoreOfPassword,
  },
  {
    type: 'URL_PASSWORD',
    anchor: '://',
    lead: /[^\s/:@"'`<>?#\\]{0,128}:/y,
    value: urlValue,
    after: /@/y,
    score: scoreOfUrlPassword,
  },
  { type: 'AUTHORIZATION', anchor: 'bearer', lead: /[ :]{1,4}["']?/y, value: headerValue, score: scoreOfHeader },
  {
    type: 'AUTHORIZATION',
    anchor: `${header}basic`,
    lead: / {1,4}/y,
    value: headerValue,
    score: (value) => (isBasicCredential(value) ? sure : undefined),
  },
  {
    type: 'AUTHORIZATION',
    anchor: `${header}(?:token|apikey|key)`,
    lead: / {1,4}/y,
    value: headerValue,
    score: scoreOfHeader,
  },
  {
    type: 'NETRC_PASSWORD',
    anchor: String.raw`login\s{1,8}`,
    lead: /[^\s]{1,64}\s{1,8}password\s{1,8}/y,
    value: /\S{1,256}/y,
    score: (value) => (isPlaceholder(value) || commonPassword.test(value) || value.length < 6 ? undefined : likely),
  },
]

const searches = contexts.map((context) => ({ ...context, search: new RegExp(context.anchor, 'gi') }))
const maxAnchorLength = 128

/** Yields undefined where the caller may pause. */
export function* credentialsInContext(text: string): Generator<Candidate | undefined> {
  for (const context of searches)
    for (const found of matchesInTurns(text, context.search, { before: 1, maxLength: 2 * maxAnchorLength }))
      yield found && candidateAfter(text, found.index + found.match.length, context)
}

const candidateAfter = (text: string, at: number, context: Context): Candidate | undefined => {
  const start = endAt(context.lead, text, at)
  const reach = start === undefined ? undefined : endAt(context.value, text, start)
  if (start === undefined || reach === undefined) return undefined
  const end = reach - (/[.:]+$/.exec(text.slice(start, reach))?.[0].length ?? 0)
  const isWhole = !context.after || endAt(context.after, text, reach) !== undefined
  const score = isWhole && end > start ? context.score(text.slice(start, end)) : undefined
  return { type: context.type, start, end, score, reach }
}
