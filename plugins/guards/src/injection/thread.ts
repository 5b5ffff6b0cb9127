/** Work for a thread: long texts are read for attacks. */

import type { ThreadModule } from '@sallyport/kit/threads'
import { readerOf } from './parts.js'
import type { ReaderOptions } from './parts.js'
import type { ReadView } from './reader.js'

const tenant = ''

const module: ThreadModule<ReaderOptions, string, ReadView[]> = async (options) => {
  const reader = await readerOf(options)
  return (text, { signal }) => reader.read(text, { signal, tenant })
}

export default module
