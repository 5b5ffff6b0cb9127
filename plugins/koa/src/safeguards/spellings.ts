/** How the specification spells its checks, and where it has them. All others are spelt as they are called. */

import { factuality, injection, pii, toxicity } from '@sallyport/checks'
import type { Check, ReplaceMethod, Stage } from '@sallyport/core'

/** An option of requests, and the header by which uploads say the same. */
export interface Spelt {
  readonly option: string
  readonly header?: string
}

export interface Spelling extends Spelt {
  readonly of: Check
  /** The name of the check. */
  readonly check: string
  readonly stage: Stage
  /** Of a check whose option is `block` or `replace`: how it is replaced, and which types are not looked for. */
  readonly replacing?: { readonly method: Spelt; readonly ignore: Spelt }
}

const spelling = (of: Check, stage: Stage, spelt: Omit<Spelling, 'of' | 'check' | 'stage'>): Spelling => ({
  ...{ of, check: of.name, stage },
  ...spelt,
})

/** In the order in which documents show them. */
export const spellings: readonly Spelling[] = [
  spelling(injection, 'input', { option: 'block_prompt_injection', header: 'injection' }),
  spelling(pii, 'input', {
    option: 'pii',
    header: 'pii',
    replacing: {
      method: { option: 'pii_replace_method', header: 'replace-method' },
      ignore: { option: 'entity_list', header: 'entity-list' },
    },
  }),
  spelling(factuality, 'output', { option: 'factuality' }),
  spelling(toxicity, 'output', { option: 'toxicity', header: 'toxicity' }),
]

/** Methods of replacing that requests of the specification know. */
export const replaceMethods: readonly ReplaceMethod[] = pii.check.methods ?? []

/** In the order in which models list what they can do. */
export const speltChecks: readonly string[] = spellings
  .toSorted((one, other) => one.of.check.order - other.of.check.order)
  .map(({ check }) => check)

export const isSpelt = (check: string): boolean => speltChecks.includes(check)

/** Every option that the specification spells, with what it is about. */
export const speltOptions: readonly (Spelt & { readonly of: Spelling })[] = spellings.flatMap((of) => [
  { ...of, of },
  ...(of.replacing ? [of.replacing.method, of.replacing.ignore].map((spelt) => ({ ...spelt, of })) : []),
])

/** `replace-method` → `Replace-Method` */
export const shownHeader = (header: string): string => header.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
