/** Headers that the configuration or a request adds. */

const token = /^[!#$%&'*+.^_`|~\w-]{1,100}$/
/** Printable ASCII: no line ends, with which further headers could begin. */
const plainValue = /^[\t\x20-\x7e]{1,8192}$/
const maxHeaders = 64

/** What belongs to the connection, to the protocol, or to what is sent. */
const own = new Set([
  ...['host', 'connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
  ...['via', 'forwarded'],
  ...['content-length', 'content-type', 'content-encoding', 'accept', 'accept-encoding', 'user-agent'],
  ...['mcp-session-id', 'mcp-protocol-version', 'last-event-id'],
])

const isOwn = (name: string): boolean => own.has(name) || name.startsWith('proxy-')

/** Which header cannot be sent, and why. */
export class HeaderProblem extends Error {
  override readonly name = 'HeaderProblem'

  /** @param index of the header; undefined for `authorization` beside them */
  constructor(
    readonly index: number | undefined,
    readonly part: 'name' | 'value',
    problem: string,
  ) {
    super(problem)
  }
}

/**
 * With names in lower case.
 * @param authorization value of the header of that name; without a space, a bearer token
 * @throws HeaderProblem
 */
export const credentialsOf = (
  headers: readonly (readonly [name: string, value: string])[],
  authorization?: string,
): Readonly<Record<string, string>> => {
  if (headers.length > maxHeaders) throw new HeaderProblem(maxHeaders, 'name', `is one of more than ${maxHeaders}`)
  const result = new Map<string, string>()
  for (const [index, [written, value]] of headers.entries()) {
    const name = written.toLowerCase()
    if (!token.test(name)) throw new HeaderProblem(index, 'name', 'is no name of a header')
    if (isOwn(name)) throw new HeaderProblem(index, 'name', `${name} is set by the connection itself: leave it out`)
    if (result.has(name)) throw new HeaderProblem(index, 'name', `${name} is there twice`)
    if (!plainValue.test(value)) throw new HeaderProblem(index, 'value', 'must be printable ASCII in one line')
    result.set(name, value)
  }
  if (authorization === undefined) return Object.fromEntries(result)
  if (!plainValue.test(authorization))
    throw new HeaderProblem(undefined, 'value', 'must be printable ASCII in one line')
  const value = authorization.trim().includes(' ') ? authorization.trim() : `Bearer ${authorization.trim()}`
  return { ...Object.fromEntries(result), authorization: value }
}
