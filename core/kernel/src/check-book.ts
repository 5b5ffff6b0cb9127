import type { Check } from '@sallyport/core'

/** The checks that plugins bring, by their names. */
export type CheckBook = ReadonlyMap<string, { readonly check: Check }>
