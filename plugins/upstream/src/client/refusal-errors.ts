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
  const problem = configurationProblem(refusal)
  return problem === undefined
    ? { error: clientError(refusal, model), misconfigured: false }
    : { error: failure('upstream_failed', { model, problem }, { cause: refusal }), misconfigured: true }
}

const configurationProblem = (refusal: Refusal): string | undefined => {
  const { status } = refusal.details
  if (isAboutLength(refusal)) return undefined
  if ([401, 402, 403].includes(status)) return 'it refuses the credentials or the account of this server'
  if ([404, 405, 501].includes(status))
    return 'it does not serve the model or path that options.model and options.url name'
  if (status >= 300 && status < 400) return 'it redirects, which is not followed: set options.url to the final address'
  return status === 429 && isOutOfQuota(refusal) ? 'the account of this server has no quota left' : undefined
}

const clientError = (refusal: Refusal, model: string): SallyportError => {
  const { status, retryAfter } = refusal.details
  if (isAboutLength(refusal)) return lengthError(refusal)
  if (isAboutImages(refusal))
    return failure('unsupported', { field: 'messages', problem: 'the model does not take images' }, { cause: refusal })
  if ([400, 413, 415, 422].includes(status)) return fieldError(refusal)
  // The refusal as cause is safe: its message does not quote the server.
  const options = {
    cause: refusal,
    ...(retryAfter !== undefined && { retryAfter: Math.max(1, Math.ceil(retryAfter)) }),
  }
  if (status === 429)
    return failure('overloaded', { problem: 'the upstream server has too many requests: try again later' }, options)
  if (status === 503 || status === 529)
    return failure('model_unavailable', { model, problem: 'the server behind it cannot serve now' }, options)
  return failure('upstream_failed', { model, problem: `it answered with the status ${status}` }, options)
}

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
  const field = fieldIn(refusal)
  if (field !== undefined && notSupported.test(words))
    return failure('unsupported', { field, problem: 'the server behind the model does not support it' }, cause)
  const problem = 'the server behind the model refuses this request'
  return failure('invalid_request', { ...(field !== undefined && { field }), problem }, cause)
}

const fieldIn = (refusal: Refusal): string | undefined => {
  const [param = ''] = refusal.details.param?.split(/[.[]/) ?? []
  const words = refusal.text().match(/[a-z_]+/g) ?? []
  const found = [param, ...words.filter((word) => !plainWords.has(word))].find((word) => fieldNames.has(word))
  return fieldNames.get(found ?? '')
}

/** Names that may also be ordinary words of an error text. */
const plainWords: ReadonlySet<string> = new Set(['input', 'prompt', 'query', 'stop', 'messages', 'documents', 'seed'])
