/** What the headers of an upload ask the safeguards for. */

import type { IncomingHttpHeaders } from 'node:http'
import { failure } from '@sallyport/core'
import type { CallerSafeguards, Kernel } from '@sallyport/core'
import { pii } from '@sallyport/checks'
import { defined } from '../routes/generation.js'
import { refuseUnknownTypes } from '../routes/entity-types.js'
import { booleanOf, listOf } from './fields.js'

const actions = ['block', 'replace'] as const
const methods = ['random', 'fake', 'category', 'mask'] as const

/**
 * They check what comes out, for what goes in is no text. A value that cannot be read is never taken for "off".
 * @returns undefined where nothing is asked for
 * @throws invalid_request
 */
export const safeguardsOf = (headers: IncomingHttpHeaders, kernel: Kernel): CallerSafeguards | undefined => {
  const given = (name: string) => textOf(headers[name])
  const entityList = listIn(given('entity-list'))
  const action = oneOf('Pii', given('pii'), actions)
  const method = oneOf('Replace-Method', given('replace-method'), methods)
  refuseUnknownTypes(entityList ?? [], kernel.models(pii)[0], 'Entity-List')
  if (action === undefined && (method ?? entityList) !== undefined)
    throw failure('invalid_request', {
      field: 'Pii',
      problem: `is missing: the header ${method ? 'Replace-Method' : 'Entity-List'} does nothing without it; give "block" or "replace"`,
    })
  const wishes = defined({
    injection: switchIn('Injection', given('injection')),
    toxicity: switchIn('Toxicity', given('toxicity')),
    pii: action,
    piiReplaceMethod: method,
    entityList: entityList?.map((name) => name.toUpperCase()),
  })
  return Object.keys(wishes).length ? { ...wishes, stage: 'output' } : undefined
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
const listIn = (text: string | undefined): string[] | undefined => {
  if (text === undefined) return undefined
  const names = listOf(text)
  if (!names.every((name) => /^\w+$/.test(name)))
    throw failure('invalid_request', {
      field: 'Entity-List',
      problem: 'must be names of entity types: ["PERSON", "URL"]',
    })
  return names.length ? names : undefined
}
