import { isRecord } from '@sallyport/kit/json'
import { countOf, listOf, nonEmptyText } from '../wire/read.js'
import type { Fields } from '../wire/read.js'

/** The maximum number of characters that are read of an error text. */
const maxText = 2000

export interface RefusalDetails {
  readonly status: number
  readonly code?: string | undefined
  readonly type?: string | undefined
  /** The field of the request that was refused. */
  readonly param?: string | undefined
  /** Seconds after which to try again. */
  readonly retryAfter?: number | undefined
  readonly promptTokens?: number | undefined
  readonly contextLength?: number | undefined
}

/** The upstream server answered with an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** The text of the server is private, and not in the message, because it may quote what must not be logged. */
  readonly #details: RefusalDetails
  readonly #text: string

  constructor(details: RefusalDetails, text: string) {
    super(`the server answered with the status ${details.status}`)
    this.#details = details
    this.#text = text
  }

  get details(): RefusalDetails {
    return this.#details
  }

  /** The error text, redacted before it is truncated: half a secret at the end would not be found. */
  text(redact: (text: string) => string = (text) => text): string {
    return redact(this.#text).slice(0, maxText)
  }
}

/** Reads the body of an error in the form of OpenAI, FastAPI or Google, or as plain text. */
export const readRefusal = (status: number, body: string, retryAfter?: number): Refusal => {
  let value: unknown = body
  try {
    value = JSON.parse(body)
  } catch {
    // It is plain text.
  }
  return refusalOf(status, value, retryAfter)
}

/** The error in an event of a stream, or in a response with a success status; undefined without one. */
export const refusalIn = (value: unknown, marked = false): Refusal | undefined => {
  if (!isRecord(value)) return marked ? new Refusal({ status: 500 }, '') : undefined
  const isError = marked || (value.error !== undefined && value.error !== null) || value.object === 'error'
  if (!isError) return undefined
  const { code, status } = detailsOf(value)
  return refusalOf(statusIn(code) ?? statusIn(status) ?? 500, value)
}

const refusalOf = (status: number, value: unknown, retryAfter?: number): Refusal => {
  const details = detailsOf(value)
  return new Refusal(
    {
      status,
      code: identifierOf(details.code),
      type: identifierOf(details.type),
      param: identifierOf(details.param),
      retryAfter,
      promptTokens: countOf(details.n_prompt_tokens),
      contextLength: countOf(details.n_ctx),
    },
    nonEmptyText(details.message) ?? '',
  )
}

const statusIn = (value: unknown): number | undefined => {
  const number = countOf(Number(value))
  return number !== undefined && number >= 400 && number <= 599 ? number : undefined
}

/** An identifier; undefined for anything else, which may quote the request. */
const identifierOf = (value: unknown): string | undefined => {
  const word = typeof value === 'number' ? String(value) : nonEmptyText(value)
  return word !== undefined && /^[\w.\-[\]]{1,64}$/.test(word) ? word : undefined
}

const detailsOf = (value: unknown): Fields => {
  if (Array.isArray(value)) return detailsOf(value[0])
  if (!isRecord(value)) return { message: value }
  if (isRecord(value.error)) return value.error
  if (typeof value.error === 'string') return { ...value, message: value.error }
  if (value.detail !== undefined) return detailsOfValidation(value.detail)
  return value
}

/** FastAPI's `detail` is a string, or a list of errors with their locations. */
const detailsOfValidation = (detail: unknown): Fields => {
  const first = Array.isArray(detail) ? (detail as unknown[])[0] : detail
  if (!isRecord(first)) return { message: first }
  const path = Array.isArray(first.loc) ? listOf(first.loc, 'loc').filter((step) => step !== 'body') : []
  return { message: first.msg, code: first.type, param: path.join('.') }
}
