export { inspectionsAtOnce } from '@sallyport/core'
