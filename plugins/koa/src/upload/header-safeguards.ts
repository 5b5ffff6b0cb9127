/** Reads the checks that uploads request in headers; requests with a JSON body name them there. */

import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { CallerSafeguards, Kernel, RequestedCheck } from '@sallyport/core'
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

/** A JSON array, a Python list, or names between commas. */
const readNames: HeaderReader = (field, text) => {
  const names = parseList(text)
  if (!names.every((name) => /^\w+$/.test(name)))
    throw invalidField(field, 'must be names of entity types: ["PERSON", "URL"]')
  return names.length ? names : undefined
}

/** Each header with its reader, and the values by which it requests nothing. */
const headers = new Map(
  specificationChecks
    .flatMap(({ header, replacing }): [string | undefined, HeaderReader, RegExp][] =>
      replacing
        ? [
            [header, oneOf(['block', 'replace']), /^(?:none)?$/i],
            [replacing.method.header, oneOf(replaceMethods), /^(?:none)?$/i],
            [replacing.ignore.header, readNames, /^(?:none|\[\s*\])?$/i],
          ]
        : [[header, readBoolean, /^(?:none|false|0)?$/i]],
    )
    .map(([header = '', read, nothing]) => [header, { read, nothing }] as const),
)
headers.delete('')

const headerText = (given: IncomingHttpHeaders, header: string): string => String(given[header] ?? '').trim()

/**
 * Refuses these headers beside a JSON body, where they would be ignored and the check silently off.
 * @throws invalid_request
 */
export const refuseSafeguardHeaders = (given: IncomingHttpHeaders): void => {
  for (const [field, { nothing }] of headers)
    if (!nothing.test(headerText(given, field)))
      throw invalidField(
        field,
        'this header is read with uploads only: a request with a JSON body says its safeguards there',
      )
}

/**
 * Reads the checks that headers request. They apply to the output, because the input is a file and no text.
 * @returns undefined where none is requested
 * @throws invalid_request
 */
export const headerSafeguards = (given: IncomingHttpHeaders, kernel: Kernel): CallerSafeguards | undefined => {
  const requested = requestedSpecificationChecks(kernel, ({ header }) => header !== undefined, {
    value: ({ header = '' }) => {
      const text = headerText(given, header)
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
 * Merges the checks that headers and fields request. The content of a file is checked in the output, so checks requested
 * for the input apply to the output, too.
 * @throws invalid_request where one check is requested in two ways
 */
export const mergeSafeguards = (
  ofHeaders: CallerSafeguards = {},
  { input = {}, output = {} }: CallerSafeguards = {},
): CallerSafeguards | undefined => {
  const joined = new Map<string, RequestedCheck>()
  for (const [check, wish] of [ofHeaders.output ?? {}, input, output].flatMap((each) => Object.entries(each))) {
    const other = joined.get(check)
    if (other && wish && !isDeepStrictEqual(other, wish))
      throw invalidField(
        check,
        'is asked for in two ways: ask once, in a header or in one of the fields input and output',
      )
    joined.set(check, other || wish)
  }
  return nonEmptySafeguards({ input, output: Object.fromEntries(joined) })
}
