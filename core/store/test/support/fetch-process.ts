/** Resolves a reference in a process of its own: `node fetch-process.js <options as JSON>`; answers in JSON. */

import { isSallyportError } from '@sallyport/core'
import { ModelStore } from '../../src/store.js'

interface FetchOptions {
  readonly home: string
  readonly baseDirectory: string
  readonly reference: string
  readonly catalogue?: string
}

const { home, baseDirectory, reference, catalogue } = JSON.parse(process.argv[2] ?? '') as FetchOptions
const store = new ModelStore({ home, baseDirectory, retryDelay: 1, catalogues: catalogue ? [catalogue] : [] })
const answer = await store.resolve(reference).then(
  ({ files }) => ({ files }),
  (error: unknown) =>
    isSallyportError(error) ? { code: error.code, message: error.message } : { message: String(error) },
)
process.stdout.write(JSON.stringify(answer))
