/** Validates headers that the configuration or a request adds. */

const namePattern = /^[!#$%&'*+.^_`|~\w-]{1,100}$/
/** Printable ASCII and tabs, without line ends, after which further headers could begin. */
const valuePattern = /^[\t\x20-\x7e]{1,8192}$/
const valueProblem = 'must be 1 to 8192 characters of printable ASCII in one line'
const maxHeaders = 64

/** Headers that the connection, the protocol or the body determine. */
const reservedNames = new Set([
  ...['host', 'connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
  ...['via', 'forwarded'],
  ...['content-length', 'content-type', 'content-encoding', 'accept', 'accept-encoding', 'user-agent'],
  ...['mcp-session-id', 'mcp-protocol-version', 'last-event-id'],
])

const isReserved = (name: string): boolean => reservedNames.has(name) || name.startsWith('proxy-')

/** A header that cannot be sent. The message says why, and continues after the name of the header or field. */
export class HeaderProblem extends Error {
  override readonly name = 'HeaderProblem'

  /** @param index of the header; undefined for the separate `authorization` */
  constructor(
    readonly index: number | undefined,
    readonly part: 'name' | 'value',
    problem: string,
  ) {
    super(problem)
  }
}

/**
 * Validates headers. @returns the headers, with names in lower case
 * @param authorization value of the header `authorization`; without a space, it is a bearer token
 * @throws HeaderProblem
 */
export const validHeaders = (
  headers: readonly (readonly [name: string, value: string])[],
  authorization?: string,
): Readonly<Record<string, string>> => {
  if (headers.length > maxHeaders)
    throw new HeaderProblem(maxHeaders, 'name', `exceeds the maximum of ${maxHeaders} headers`)
  const result = new Map<string, string>()
  for (const [index, [written, value]] of headers.entries()) {
    const name = written.toLowerCase()
    if (!namePattern.test(name)) throw new HeaderProblem(index, 'name', 'is not a valid header name')
    if (isReserved(name)) throw new HeaderProblem(index, 'name', 'is set by the connection itself: leave it out')
    if (result.has(name)) throw new HeaderProblem(index, 'name', 'appears twice')
    if (!valuePattern.test(value)) throw new HeaderProblem(index, 'value', valueProblem)
    result.set(name, value)
  }
  if (authorization === undefined) return Object.fromEntries(result)
  if (!valuePattern.test(authorization)) throw new HeaderProblem(undefined, 'value', valueProblem)
  const value = authorization.trim().includes(' ') ? authorization.trim() : `Bearer ${authorization.trim()}`
  return { ...Object.fromEntries(result), authorization: value }
}
