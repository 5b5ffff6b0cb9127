/** Finds the detectors of a check, and checks names of types of findings. */

import type { Kernel, ModelDescriptor } from '@sallyport/core'
import { didYouMean } from '@sallyport/kit/text'
import { invalidField } from '../invalid-field.js'

type Models = readonly ModelDescriptor[]

/** Finds a model by its id, else by an alias. */
export const findModel = (models: Models, name: string): ModelDescriptor | undefined =>
  models.find(({ id }) => id === name) ?? models.find(({ aliases }) => aliases.includes(name))

/** The models that provide a check. @param check its name, or the operator's name of an entry */
export const detectorsAmong = (models: Models, kernel: Kernel, check: string): Models => {
  const { check: provided = check } = kernel.checks.get(check) ?? {}
  return models.filter(({ capabilities }) => capabilities.includes(provided))
}

/**
 * The detectors that answer for a check that a caller requests: those that the configuration names, or else the first.
 * A detector that is not among the models is undefined.
 */
export const detectorsForCallers = (
  kernel: Kernel,
  check: string,
  models: Models = kernel.models(),
): (ModelDescriptor | undefined)[] => {
  const candidates = detectorsAmong(models, kernel, check)
  return kernel.checks.get(check)?.detectors?.map((name) => findModel(candidates, name)) ?? [candidates[0]]
}

/** Callers know Presidio's names, so ignoring a type that a detector does not look for is not an error. */
const presidioTypes = [
  ...['ADDRESS', 'AGE', 'CREDIT_CARD', 'CRYPTO', 'DATE_TIME', 'EMAIL_ADDRESS', 'IBAN_CODE', 'ID', 'IP_ADDRESS'],
  ...['LOCATION', 'MAC_ADDRESS', 'MEDICAL_LICENSE', 'NRP', 'ORGANIZATION', 'PERSON', 'PHONE_NUMBER', 'SWIFT_CODE'],
  ...['TITLE', 'URL', 'ZIP_CODE'],
  ...['US_BANK_NUMBER', 'US_DRIVER_LICENSE', 'US_ITIN', 'US_MBI', 'US_NPI', 'US_PASSPORT', 'US_SSN'],
  ...['UK_NHS', 'UK_NINO', 'UK_PASSPORT', 'UK_POSTCODE', 'UK_VEHICLE_REGISTRATION', 'ABA_ROUTING_NUMBER'],
  ...['AU_ABN', 'AU_ACN', 'AU_MEDICARE', 'AU_TFN', 'ES_NIE', 'ES_NIF', 'FI_PERSONAL_IDENTITY_CODE'],
  ...['IN_AADHAAR', 'IN_GSTIN', 'IN_PAN', 'IN_PASSPORT', 'IN_VEHICLE_REGISTRATION', 'IN_VOTER'],
  ...['IT_DRIVER_LICENSE', 'IT_FISCAL_CODE', 'IT_IDENTITY_CARD', 'IT_PASSPORT', 'IT_VAT_CODE'],
  ...['KR_PASSPORT', 'KR_RRN', 'PL_PESEL', 'SG_NRIC_FIN', 'SG_UEN', 'TH_TNIN'],
]

/**
 * @param detectors the detectors whose findings are ignored; one that does not list its types may find any
 * @param field the path of the names in the body
 * @throws invalid_request for an unknown name
 */
export const refuseUnknownTypes = (
  names: readonly string[],
  detectors: readonly (ModelDescriptor | undefined)[],
  field: string,
): void => {
  if (!detectors.every((detector) => detector?.entityTypes)) return
  const types = detectors.flatMap((detector) => detector?.entityTypes ?? [])
  const known = new Set([...types, ...presidioTypes])
  for (const [position, name] of names.entries())
    if (!known.has(name.toUpperCase()))
      throw invalidField(`${field}[${position}]`, `is not an entity type${didYouMean(name.toUpperCase(), types)}`)
}
