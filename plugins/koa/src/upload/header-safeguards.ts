/** Reads the checks that uploads request in headers; requests with a JSON body name them in the body. */

import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { RequestedChecks, Kernel, RequestedCheck } from '@sallyport/core'
import { invalidField } from '../invalid-field.js'
import { replaceMethods, titleCaseHeader, specificationChecks } from '../safeguards/specification-checks.js'
import { nonEmptySafeguards, requestedSpecificationChecks } from '../safeguards/requested-checks.js'
import { parseBoolean, parseList } from './fields.js'

/** Reads the text of a header. @throws invalid_request for what cannot be read, which is never taken for "off" */
type HeaderReader = (field: string, text: string) => unknown

const readBoolean: HeaderReader = (field, text) => {
  const wanted = parseBoolean(text)
  if (wanted === undefined) throw invalidField(field, 'must be true or false')
  return wanted
}

const oneOf =
  (names: readonly string[]): HeaderReader =>
  (field, text) => {
    const name = text.toLowerCase()
    if (!names.includes(name)) throw invalidField(field, `must be one of ${names.join(', ')}`)
    return name
  }

/** A JSON array, a Python list or a comma-separated list. */
const readNames: HeaderReader = (field, text) => {
  const names = parseList(text)
  if (!names.every((name) => /^\w+$/.test(name)))
    throw invalidField(field, 'must be names of entity types: ["PERSON", "URL"]')
  return names.length ? names : undefined
}

/** Each header with its reader, and the values by which it requests nothing. */
const headers: ReadonlyMap<string, { readonly read: HeaderReader; readonly nothing: RegExp }> = new Map(
  specificationChecks.flatMap(({ header, replacing }) => {
    if (header === undefined) return []
    if (!replacing) return [[header, { read: readBoolean, nothing: /^(?:none|false|0)?$/i }] as const]
    return [
      [header, { read: oneOf(['block', 'replace']), nothing: /^(?:none)?$/i }],
      [replacing.method.header, { read: oneOf(replaceMethods), nothing: /^(?:none)?$/i }],
      [replacing.ignore.header, { read: readNames, nothing: /^(?:none|\[\s*\])?$/i }],
    ] as const
  }),
)

const headerText = (requestHeaders: IncomingHttpHeaders, header: string): string =>
  String(requestHeaders[header] ?? '').trim()

const unread = 'this header is read with uploads only: in a request with a JSON body, safeguards belong in the body'

/**
 * Refuses these headers beside a JSON body, where they would be ignored and the check silently off.
 * @throws invalid_request
 */
export const refuseSafeguardHeaders = (requestHeaders: IncomingHttpHeaders): void => {
  for (const [field, { nothing }] of headers)
    if (!nothing.test(headerText(requestHeaders, field))) throw invalidField(field, unread)
}

/**
 * Reads the checks that headers request. They apply to the output, because the input is a file and not text.
 * @returns undefined where none is requested
 * @throws invalid_request
 */
export const headerSafeguards = (requestHeaders: IncomingHttpHeaders, kernel: Kernel): RequestedChecks | undefined => {
  const requested = requestedSpecificationChecks(kernel, ({ header }) => header !== undefined, {
    value: ({ header = '' }) => {
      const text = headerText(requestHeaders, header)
      // Python writes `None` for what is absent.
      return text === '' || text.toLowerCase() === 'none'
        ? undefined
        : headers.get(header)?.read(titleCaseHeader(header), text)
    },
    field: ({ header = '' }) => titleCaseHeader(header),
    mention: ({ header = '' }) => `the header ${titleCaseHeader(header)}`,
  })
  return nonEmptySafeguards({ output: Object.fromEntries(requested) })
}

/**
 * Merges the checks that headers and fields request. The content of a file is checked in the output, so checks
 * requested for the input apply to the output, too.
 * @throws invalid_request where one check is requested in two ways
 */
export const mergeSafeguards = (
  inHeaders: RequestedChecks = {},
  { input = {}, output = {} }: RequestedChecks = {},
): RequestedChecks | undefined => {
  const checks = new Map<string, RequestedCheck>()
  for (const [check, requested] of [inHeaders.output ?? {}, input, output].flatMap((each) => Object.entries(each))) {
    const other = checks.get(check)
    if (other && requested && !isDeepStrictEqual(other, requested))
      throw invalidField(check, 'is requested in two ways: request it once, in a header or in "input" or "output"')
    checks.set(check, other || requested)
  }
  return nonEmptySafeguards({ input, output: Object.fromEntries(checks) })
}
