/** What an upload asks the safeguards for. */

import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { failure } from '@sallyport/core'
import type { CallerSafeguards, Kernel, Wish } from '@sallyport/core'
import { allWishes, replacing } from '../body/safeguards.js'
import { refuseUnknownTypes } from '../routes/entity-types.js'
import { askedDetectors } from '../routes/find-model.js'
import { replaceMethods, shownHeader, spellings } from '../specification/spellings.js'
import type { Spelling } from '../specification/spellings.js'
import { booleanOf, listOf } from './fields.js'

/**
 * What headers and fields ask for together. What a file says is read in what comes out, so what is asked for the input
 * is asked for the output, too.
 * @throws invalid_request where they ask for one check in two ways
 */
export const joinedSafeguards = (
  ofHeaders: CallerSafeguards = {},
  { input = {}, output = {} }: CallerSafeguards = {},
): CallerSafeguards | undefined => {
  const joined = new Map<string, Wish>()
  for (const [check, wish] of [ofHeaders.output ?? {}, input, output].flatMap((each) => Object.entries(each))) {
    const other = joined.get(check)
    if (other && wish && !isDeepStrictEqual(other, wish))
      throw failure('invalid_request', {
        field: check,
        problem: 'is asked for in two ways: ask once, in a header or in one of the fields input and output',
      })
    joined.set(check, other || wish)
  }
  return allWishes({ input, output: Object.fromEntries(joined) })
}

/**
 * What headers ask for. They check what comes out, for what goes in is no text. A value that cannot be read is never
 * taken for "off".
 * @returns undefined where nothing is asked for
 * @throws invalid_request
 */
export const safeguardsOf = (headers: IncomingHttpHeaders, kernel: Kernel): CallerSafeguards | undefined => {
  const wishes = spellings.flatMap((of): [string, Wish][] => {
    const wish = of.header === undefined ? undefined : wishIn(of, of.header, headers, kernel)
    return wish === undefined ? [] : [[of.check, wish]]
  })
  return allWishes({ output: Object.fromEntries(wishes) })
}

const wishIn = (
  { check, replacing: details }: Spelling,
  header: string,
  headers: IncomingHttpHeaders,
  kernel: Kernel,
): Wish | undefined => {
  const given = (name: string) => textOf(headers[name])
  const field = shownHeader(header)
  if (!details) return switchIn(field, given(header))
  const { method: methodHeader = '', ignore: ignoreHeader = '' } = {
    method: details.method.header,
    ignore: details.ignore.header,
  }
  const ignore = listIn(shownHeader(ignoreHeader), given(ignoreHeader))
  const action = oneOf(field, given(header), ['block', 'replace'] as const)
  const method = oneOf(shownHeader(methodHeader), given(methodHeader), replaceMethods)
  refuseUnknownTypes(ignore ?? [], askedDetectors(kernel, check), shownHeader(ignoreHeader))
  if (action !== undefined) return replacing(action, method, ignore ?? [])
  if ((method ?? ignore) === undefined) return undefined
  const useless = shownHeader(method ? methodHeader : ignoreHeader)
  throw failure('invalid_request', {
    field,
    problem: `is missing: the header ${useless} does nothing without it; give "block" or "replace"`,
  })
}

/** Undefined for what is absent: nothing, or Python's `None`. */
const textOf = (value: string | string[] | undefined): string | undefined => {
  const text = String(value ?? '').trim()
  return text === '' || text.toLowerCase() === 'none' ? undefined : text
}

const switchIn = (field: string, text: string | undefined): boolean | undefined => {
  if (text === undefined) return undefined
  const wanted = booleanOf(text)
  if (wanted === undefined) throw failure('invalid_request', { field, problem: 'must be true or false' })
  return wanted
}

const oneOf = <Name extends string>(
  field: string,
  text: string | undefined,
  names: readonly Name[],
): Name | undefined => {
  if (text === undefined) return undefined
  const name = names.find((one) => one === text.toLowerCase())
  if (name !== undefined) return name
  throw failure('invalid_request', { field, problem: `must be one of ${names.join(', ')}` })
}

/** A JSON array, a Python list, or names between commas. @throws invalid_request */
const listIn = (field: string, text: string | undefined): string[] | undefined => {
  if (text === undefined) return undefined
  const names = listOf(text)
  if (!names.every((name) => /^\w+$/.test(name)))
    throw failure('invalid_request', {
      field,
      problem: 'must be names of entity types: ["PERSON", "URL"]',
    })
  return names.length ? names : undefined
}
