/** The options by which requests name the specification's checks. All other checks go by their own names. */

import { factuality, injection, pii, toxicity } from '@sallyport/checks'
import type { Check, ReplaceMethod, Stage } from '@sallyport/core'

/** An option of requests, and the header that replaces it in uploads. */
export interface CheckOption {
  readonly option: string
  readonly header?: string
}

export interface SpecificationCheck extends CheckOption {
  readonly definition: Check
  readonly check: string
  readonly stage: Stage
  /** The options for the method and the ignored types, where the check's own option is `block` or `replace`. */
  readonly replacing?: { readonly method: Required<CheckOption>; readonly ignore: Required<CheckOption> }
}

const definitions: readonly Omit<SpecificationCheck, 'check'>[] = [
  { definition: injection, stage: 'input', option: 'block_prompt_injection', header: 'injection' },
  {
    ...{ definition: pii, stage: 'input', option: 'pii', header: 'pii' },
    replacing: {
      method: { option: 'pii_replace_method', header: 'replace-method' },
      ignore: { option: 'entity_list', header: 'entity-list' },
    },
  },
  { definition: factuality, stage: 'output', option: 'factuality' },
  { definition: toxicity, stage: 'output', option: 'toxicity', header: 'toxicity' },
]

/** In the order in which documents show them. */
export const specificationChecks: readonly SpecificationCheck[] = definitions.map((one) => ({
  ...one,
  check: one.definition.name,
}))

/** Methods of replacing that requests of the specification know. */
export const replaceMethods: readonly ReplaceMethod[] = pii.check.methods ?? []

/** In the order in which models list what they can do. */
export const specificationCheckNames: readonly string[] = specificationChecks
  .toSorted((one, other) => one.definition.check.order - other.definition.check.order)
  .map(({ check }) => check)

export const isSpecificationCheck = (check: string): boolean => specificationCheckNames.includes(check)

/** Every option of the specification, with the check that owns it. */
export const specificationOptions: readonly (CheckOption & { readonly owner: SpecificationCheck })[] =
  specificationChecks.flatMap((owner) => [
    { ...owner, owner },
    ...(owner.replacing
      ? [owner.replacing.method, owner.replacing.ignore].map((option) => ({ ...option, owner }))
      : []),
  ])

/** `replace-method` → `Replace-Method` */
export const titleCaseHeader = (header: string): string =>
  header.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
