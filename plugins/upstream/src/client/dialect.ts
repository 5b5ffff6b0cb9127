import { isRecord } from '@sallyport/kit/json'
import type { WireBody } from '../wire/generation.js'
import type { Refusal } from './refusal.js'

/** What to do about a field that the server does not know. */
interface Rewrite {
  readonly field: string
  /** Its other name; without one it is left out. */
  readonly instead?: string
  /** A field of each message. */
  readonly ofMessages?: true
}

/** In OpenAI's words first: what other servers, or newer models, refuse. */
const rewrites: readonly Rewrite[] = [
  { field: 'stream_options' },
  { field: 'top_k' },
  { field: 'min_p' },
  { field: 'parallel_tool_calls' },
  { field: 'reasoning_effort' },
  { field: 'encoding_format' },
  { field: 'max_tokens', instead: 'max_completion_tokens' },
  { field: 'seed', instead: 'random_seed' },
  { field: 'reasoning_content', ofMessages: true },
]

/** Longer texts quote the request and say nothing about fields. */
const maxComplaint = 500

const complaint =
  /unknown|unrecogni[sz]ed|unsupported|not supported|not support|unexpected|extra|not permitted|not allowed/i

/** The fields that a server has been found not to know. Immutable. */
export class Dialect {
  constructor(private readonly unknown: ReadonlySet<string> = new Set()) {}

  get fields(): readonly string[] {
    return [...this.unknown]
  }

  /** The body without what the server does not know. */
  apply(body: WireBody): WireBody {
    return rewrites
      .filter(({ field }) => this.unknown.has(field))
      .reduce((result, rewrite) => applied(rewrite, result), body)
  }

  /** The dialect after a refusal that names a field of the body; undefined where it names none. */
  after(refusal: Refusal, body: WireBody): Dialect | undefined {
    if (![400, 422].includes(refusal.details.status)) return undefined
    const refused = rewrites.find((rewrite) => isIn(rewrite, body) && names(refusal, rewrite.field))
    return refused && new Dialect(new Set([...this.unknown, refused.field]))
  }

  /** What both know. */
  with(other: Dialect): Dialect {
    return new Dialect(new Set([...this.unknown, ...other.unknown]))
  }
}

const messagesOf = ({ messages }: WireBody): readonly WireBody[] =>
  Array.isArray(messages) ? messages.filter(isRecord) : []

const isIn = ({ field, ofMessages }: Rewrite, body: WireBody): boolean =>
  ofMessages ? messagesOf(body).some((message) => message[field] !== undefined) : body[field] !== undefined

const applied = (rewrite: Rewrite, body: WireBody): WireBody => {
  if (!isIn(rewrite, body)) return body
  const { field, instead, ofMessages } = rewrite
  if (ofMessages) return { ...body, messages: messagesOf(body).map((message) => ({ ...message, [field]: undefined })) }
  return { ...body, [field]: undefined, ...(instead === undefined ? {} : { [instead]: body[field] }) }
}

const names = (refusal: Refusal, field: string): boolean => {
  const text = refusal.text()
  if (text.length > maxComplaint) return false
  const { code = '', type = '', param } = refusal.details
  if (!complaint.test(`${code} ${type} ${text}`)) return false
  const steps = param?.split(/[.[\]]+/)
  return steps?.includes(field) || new RegExp(`(?<![\\w.])${field}(?!\\w)`).test(text)
}
