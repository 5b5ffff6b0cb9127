import { fileURLToPath } from 'node:url'

/** The repository's root; this file runs from test/dist/support. */
export const repository = fileURLToPath(new URL('../../..', import.meta.url))
