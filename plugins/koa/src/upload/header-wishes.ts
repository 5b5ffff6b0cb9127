/** What headers of requests ask the safeguards for: those of uploads, for a request with a JSON body says it there. */

import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { CallerSafeguards, Kernel, Wish } from '@sallyport/core'
import { invalidField } from '../invalid-field.js'
import { replaceMethods, shownHeader, spellings } from '../safeguards/spellings.js'
import { allWishes, wishesSpelt } from '../safeguards/wishes.js'
import { booleanOf, listOf } from './fields.js'

/** Reads the text of a header. @throws invalid_request for what cannot be read, which is never taken for "off" */
type HeaderReader = (field: string, text: string) => unknown

const readBoolean: HeaderReader = (field, text) => {
  const wanted = booleanOf(text)
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
  const names = listOf(text)
  if (!names.every((name) => /^\w+$/.test(name)))
    throw invalidField(field, 'must be names of entity types: ["PERSON", "URL"]')
  return names.length ? names : undefined
}

/** Each header with how it is read, and what asks for nothing in it. */
const headers = new Map(
  spellings
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

const textOf = (given: IncomingHttpHeaders, header: string): string => String(given[header] ?? '').trim()

/**
 * A check that is asked for by a header must not silently be off where the body says what is checked.
 * @throws invalid_request
 */
export const refuseSafeguardHeaders = (given: IncomingHttpHeaders): void => {
  for (const [field, { nothing }] of headers)
    if (!nothing.test(textOf(given, field)))
      throw invalidField(
        field,
        'this header is read with uploads only: a request with a JSON body says its safeguards there',
      )
}

/**
 * What headers ask for. They check what comes out, for what goes in is no text.
 * @returns undefined where nothing is asked for
 * @throws invalid_request
 */
export const safeguardsOf = (given: IncomingHttpHeaders, kernel: Kernel): CallerSafeguards | undefined => {
  const wishes = wishesSpelt(kernel, ({ header }) => header !== undefined, {
    value: ({ header = '' }) => {
      const text = textOf(given, header)
      // Python writes `None` for what is absent.
      return text === '' || text.toLowerCase() === 'none'
        ? undefined
        : headers.get(header)?.read(shownHeader(header), text)
    },
    field: ({ header = '' }) => shownHeader(header),
    mention: ({ header = '' }) => `the header ${shownHeader(header)}`,
  })
  return allWishes({ output: Object.fromEntries(wishes) })
}

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
      throw invalidField(
        check,
        'is asked for in two ways: ask once, in a header or in one of the fields input and output',
      )
    joined.set(check, other || wish)
  }
  return allWishes({ input, output: Object.fromEntries(joined) })
}
