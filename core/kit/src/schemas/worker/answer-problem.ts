import type { ErrorObject } from 'ajv/dist/2020.js'
import { pathOfPointer } from '../../json/data.js'
import type { Flaw } from '../protocol.js'

/**
 * The fault of an answer, in words that do not quote it.
 * @param errors of the validator, of which the last one is described
 * @param names of properties in the schema; others are not shown
 */
export const describeAnswer = (errors: readonly ErrorObject[], answer: unknown, names: ReadonlySet<string>): Flaw => {
  const error = errors.at(-1)
  const path = error ? pathOfPointer(error.instancePath, answer) : []
  return {
    path: path.map((step) => (typeof step === 'number' || names.has(step) ? step : '*')),
    problem: error ? problemOf(error, names) : 'is not valid',
  }
}

const problemOf = ({ keyword, params }: ErrorObject, names: ReadonlySet<string>): string => {
  const { type, missingProperty: missing } = params as { type?: string | string[]; missingProperty?: string }
  switch (keyword) {
    case 'type':
      return `must be of the type ${[type].flat().join(' or ')}`
    case 'required':
      return missing !== undefined && names.has(missing) ? `lacks ${JSON.stringify(missing)}` : 'lacks what is required'
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'has a property that the schema does not know'
    case 'const':
    case 'enum':
      return 'is none of the values that the schema allows'
    case 'false schema':
      return 'must not be there'
    default:
      return `does not fit the schema's "${keyword}"`
  }
}
