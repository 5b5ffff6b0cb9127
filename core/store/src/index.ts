/** The model store. */

export type { CatalogueEntry } from './catalogue.js'
export type { Amount, ListedModel, VerifiedFile } from './inventory.js'
export type { FileSource } from './planned-file.js'
export { isOfFormat } from './problems.js'
export type { ResolveOptions } from './store-options.js'
export { ModelStore } from './store.js'
