/** How the specification spells its checks, and where it has them. All others are spelt as they are called. */

import type { Stage } from '@sallyport/core'

/** An option of requests, and the header by which uploads say the same. */
export interface Spelt {
  readonly option: string
  readonly header?: string
}

export interface Spelling extends Spelt {
  /** Name of the check. */
  readonly check: string
  readonly stage: Stage
  /** Its place among the checks of a stage, where no plugin says it. */
  readonly order: number
  /** Of a check whose option is `block` or `replace`: how it is replaced, and which types are not looked for. */
  readonly replacing?: { readonly method: Spelt; readonly ignore: Spelt }
}

/** In the order in which documents show them. */
export const spellings: readonly Spelling[] = [
  { check: 'injection', stage: 'input', order: 100, option: 'block_prompt_injection', header: 'injection' },
  {
    check: 'pii',
    stage: 'input',
    order: 200,
    option: 'pii',
    header: 'pii',
    replacing: {
      method: { option: 'pii_replace_method', header: 'replace-method' },
      ignore: { option: 'entity_list', header: 'entity-list' },
    },
  },
  { check: 'factuality', stage: 'output', order: 400, option: 'factuality' },
  { check: 'toxicity', stage: 'output', order: 300, option: 'toxicity', header: 'toxicity' },
]

/** Methods of replacing that requests of the specification know. */
export const replaceMethods = ['random', 'fake', 'category', 'mask'] as const

/** In the order in which models list what they can do. */
export const speltChecks: readonly string[] = spellings.toSorted((a, b) => a.order - b.order).map(({ check }) => check)

const names: ReadonlySet<string> = new Set(speltChecks)

export const isSpelt = (check: string): boolean => names.has(check)

/** Every option that the specification spells, with what it is about. */
export const speltOptions: readonly (Spelt & { readonly of: Spelling })[] = spellings.flatMap((of) => [
  { ...of, of },
  ...(of.replacing ? [of.replacing.method, of.replacing.ignore].map((spelt) => ({ ...spelt, of })) : []),
])

/** `replace-method` → `Replace-Method` */
export const shownHeader = (header: string): string => header.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
