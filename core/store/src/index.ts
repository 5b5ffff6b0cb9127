/** The model store. */

export type { FileSource } from './catalogue-source.js'
export type { CatalogueEntry } from './catalogue.js'
export type { Amount, ListedModel, VerifiedFile } from './inventory.js'
export type { ResolveOptions } from './store-options.js'
export { ModelStore } from './store.js'
export { isOfFormat } from './wanted.js'
