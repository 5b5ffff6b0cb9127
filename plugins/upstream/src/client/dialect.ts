import { isRecord } from '@sallyport/kit/json'
import type { WireBody } from '../wire/generation.js'
import type { Refusal } from './refusal.js'

/** What to do about a field that the server does not know. */
interface Rewrite {
  readonly field: string
  /** The other name of the field; without one it is left out. */
  readonly replacement?: string
  /** Whether it is a field of each message. */
  readonly inMessages?: true
}

/** Fields by their names in OpenAI's API that other servers, or newer models, refuse. */
const rewrites: readonly Rewrite[] = [
  { field: 'stream_options' },
  { field: 'top_k' },
  { field: 'min_p' },
  { field: 'parallel_tool_calls' },
  { field: 'reasoning_effort' },
  { field: 'encoding_format' },
  { field: 'max_tokens', replacement: 'max_completion_tokens' },
  { field: 'seed', replacement: 'random_seed' },
  { field: 'reasoning_content', inMessages: true },
]

/** Longer error texts are ignored, because they may quote the request. */
const maxTextLength = 500

const unknownFieldText =
  /unknown|unrecogni[sz]ed|unsupported|not supported|not support|unexpected|extra|not permitted|not allowed/i

/** The fields that a server turned out not to know. It is immutable. */
export class Dialect {
  constructor(readonly unknownFields: ReadonlySet<string> = new Set()) {}

  /** The body without the fields that the server does not know. */
  apply(body: WireBody): WireBody {
    return rewrites
      .filter(({ field }) => this.unknownFields.has(field))
      .reduce((result, rewrite) => rewriteBody(rewrite, result), body)
  }

  /** The dialect after a refusal that names a field of the body; undefined where it names none. */
  learn(refusal: Refusal, body: WireBody): Dialect | undefined {
    if (![400, 422].includes(refusal.details.status)) return undefined
    const refused = rewrites.find((rewrite) => isIn(rewrite, body) && namesField(refusal, rewrite.field))
    return refused && new Dialect(new Set([...this.unknownFields, refused.field]))
  }

  /** The dialect with the fields of both. */
  merge(other: Dialect): Dialect {
    return new Dialect(new Set([...this.unknownFields, ...other.unknownFields]))
  }
}

const messagesOf = ({ messages }: WireBody): readonly WireBody[] =>
  Array.isArray(messages) ? messages.filter(isRecord) : []

const isIn = ({ field, inMessages }: Rewrite, body: WireBody): boolean =>
  inMessages ? messagesOf(body).some((message) => message[field] !== undefined) : body[field] !== undefined

const rewriteBody = (rewrite: Rewrite, body: WireBody): WireBody => {
  if (!isIn(rewrite, body)) return body
  const { field, replacement, inMessages } = rewrite
  if (inMessages) return { ...body, messages: messagesOf(body).map((message) => ({ ...message, [field]: undefined })) }
  return { ...body, [field]: undefined, ...(replacement === undefined ? {} : { [replacement]: body[field] }) }
}

const namesField = (refusal: Refusal, field: string): boolean => {
  const text = refusal.text()
  if (text.length > maxTextLength) return false
  const { code = '', type = '', param } = refusal.details
  if (!unknownFieldText.test(`${code} ${type} ${text}`)) return false
  const steps = param?.split(/[.[\]]+/)
  return steps?.includes(field) || new RegExp(`(?<![\\w.])${field}(?!\\w)`).test(text)
}
