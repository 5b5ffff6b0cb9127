import { failure } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'
import type { Refusal } from './refusal.js'

export interface Explanation {
  /** The error for the client, which never quotes the server. */
  readonly error: SallyportError
  /** Whether the operator, and not the client, has to act. */
  readonly misconfigured: boolean
}

/** Maps a refusal of the upstream server to an error for our client. */
export const explainRefusal = (refusal: Refusal, model: string): Explanation => {
  const { status } = refusal.details
  const cause = { cause: refusal }
  if (isAboutLength(refusal)) return clientError(lengthError(refusal))
  if (isAboutImages(refusal))
    return clientError(failure('unsupported', { field: 'messages', problem: 'the model does not take images' }, cause))
  if (status === 401 || status === 402 || status === 403)
    return operatorError(model, 'it refuses the credentials or the account of this server', refusal)
  if (status === 404 || status === 405 || status === 501)
    return operatorError(model, 'it does not serve the model or path that options.model and options.url name', refusal)
  if (status >= 300 && status < 400)
    return operatorError(model, 'it redirects, which is not followed: set options.url to the final address', refusal)
  if (status === 429 && isOutOfQuota(refusal))
    return operatorError(model, 'the account of this server has no quota left', refusal)
  if (status === 429) {
    const problem = 'the server behind the model has too many requests: try again later'
    return clientError(failure('overloaded', { problem }, failureOptions(refusal)))
  }
  if ([400, 413, 415, 422].includes(status)) return clientError(fieldError(refusal))
  if (status === 503 || status === 529)
    return clientError(
      failure(
        'model_unavailable',
        { model, problem: 'the server behind it cannot serve now' },
        failureOptions(refusal),
      ),
    )
  return clientError(
    failure('upstream_failed', { model, problem: `it answered with the status ${status}` }, failureOptions(refusal)),
  )
}

/** The refusal as cause is safe: its message does not quote the server. */
const failureOptions = (refusal: Refusal) => ({
  cause: refusal,
  ...(refusal.details.retryAfter === undefined
    ? {}
    : { retryAfter: Math.max(1, Math.ceil(refusal.details.retryAfter)) }),
})

const clientError = (error: SallyportError): Explanation => ({ error, misconfigured: false })

const operatorError = (model: string, problem: string, refusal: Refusal): Explanation => ({
  error: failure('upstream_failed', { model, problem }, { cause: refusal }),
  misconfigured: true,
})

export const isOutOfQuota = ({ details: { code, type } }: Refusal): boolean =>
  [code, type].some((word) => word === 'insufficient_quota' || word === 'billing_hard_limit_reached')

const lengthCodes = ['context_length_exceeded', 'exceed_context_size_error', 'string_above_max_length']

const lengthText =
  /maximum context length|(?:exceed|larger than|longer than|too large|too long).{0,60}(?:context|tokens)|(?:context|tokens).{0,60}(?:exceed|larger than|longer than|too large|too long)|(?:prompt|input) is too (?:long|large)/i

/** llama-server answers 500 where the input of an embedding is too long, and some servers answer 413. */
const isAboutLength = (refusal: Refusal): boolean =>
  [refusal.details.code, refusal.details.type].some((word) => word !== undefined && lengthCodes.includes(word)) ||
  ([400, 413, 422, 500].includes(refusal.details.status) && lengthText.test(refusal.text()))

const tooLong = 'the prompt is longer than the context of the model: shorten it'

const lengthError = (refusal: Refusal): SallyportError => {
  const tokens = refusal.details.promptTokens ?? numberIn(refusal, promptNumber)
  const limit = refusal.details.contextLength ?? numberIn(refusal, limitNumber)
  if (!tokens || !limit) return failure('invalid_request', { problem: tooLong }, { cause: refusal })
  if (tokens >= limit) return failure('context_exceeded', { tokens, limit }, { cause: refusal })
  const problem = `with ${tokens} tokens of the prompt, this is more than the context of ${limit}: lower it`
  return failure('invalid_request', { field: 'max_tokens', problem }, { cause: refusal })
}

/** These match "(1800 in the messages, …", "resulted in 5000 tokens", "request (5000 tokens)", "input (600 tokens)". */
const promptNumber = [
  /(\d{1,9}) (?:input tokens|tokens )?in the (?:messages|prompt|input)/i,
  /(?:resulted in|requested|has|contains at least|contains|input \(|request \(|prompt \() ?(\d{1,9}) (?:input )?tokens/i,
]
const limitNumber = [
  /(?:maximum context length is|context size \(|size: ?|context length of|context window of|at most|limit of) ?(\d{1,9})/i,
]

const numberIn = (refusal: Refusal, patterns: readonly RegExp[]): number | undefined => {
  const text = refusal.text()
  const found = patterns.map((pattern) => pattern.exec(text)?.[1]).find((match) => match !== undefined)
  return found === undefined ? undefined : Number(found)
}

/** Fields of requests to the server, and their names in our own API. */
const fieldNames: ReadonlyMap<string, string> = new Map([
  ...[
    ...['messages', 'prompt', 'suffix', 'input', 'documents', 'query', 'top_n', 'dimensions', 'tools', 'tool_choice'],
    ...['parallel_tool_calls', 'response_format', 'reasoning_effort', 'logprobs', 'top_logprobs', 'logit_bias'],
    ...['temperature', 'top_p', 'top_k', 'min_p', 'frequency_penalty', 'presence_penalty', 'seed', 'stop'],
    ...['max_tokens'],
  ].map((name): [string, string] => [name, name]),
  ['max_completion_tokens', 'max_tokens'],
  ['random_seed', 'seed'],
])

const notSupported =
  /unsupported|not supported|not support|unknown|unrecogni[sz]ed|not permitted|extra_forbidden|requires/i

/** llama-server answers 500 to images that it does not support. */
const isAboutImages = (refusal: Refusal): boolean =>
  [400, 415, 422, 500].includes(refusal.details.status) &&
  notSupported.test(refusal.text()) &&
  /\b(?:images?|image_url|vision|multimodal)\b/i.test(refusal.text())

const fieldError = (refusal: Refusal): SallyportError => {
  const { code = '', type = '' } = refusal.details
  const words = `${code} ${type} ${refusal.text()}`
  const cause = { cause: refusal }
  if (/content[_ ](?:filter|policy)/i.test(words))
    return failure('invalid_request', { problem: 'the server behind the model refuses this content' }, cause)
  const unsupported = notSupported.test(words)
  const field = fieldIn(refusal)
  const named = field === undefined ? {} : { field }
  return unsupported && field !== undefined
    ? failure('unsupported', { ...named, problem: 'the server behind the model does not support it' }, cause)
    : failure('invalid_request', { ...named, problem: 'the server behind the model refuses this request' }, cause)
}

const fieldIn = (refusal: Refusal): string | undefined => {
  const named = refusal.details.param?.split(/[.[]/)[0]
  if (named !== undefined && fieldNames.has(named)) return fieldNames.get(named)
  const words = refusal.text().match(/[a-z_]+/g) ?? []
  const found = words.find((word) => fieldNames.has(word) && !plainWords.has(word))
  return found === undefined ? undefined : fieldNames.get(found)
}

/** Names that may also be ordinary words of an error text. */
const plainWords: ReadonlySet<string> = new Set(['input', 'prompt', 'query', 'stop', 'messages', 'documents', 'seed'])
