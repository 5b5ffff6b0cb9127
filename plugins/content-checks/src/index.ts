import { definePlugin } from '@sallyport/core'

/** Checks beside those of the specification. */
export default definePlugin({ name: '@sallyport/content-checks' })
