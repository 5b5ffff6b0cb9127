/** Work for a thread: long texts are read for what is toxic. */

import type { ThreadModule } from '@sallyport/kit/threads'
import { readerOf } from './parts.js'
import type { ReaderOptions } from './parts.js'
import type { LedText, ReadText } from './reader.js'

const tenant = ''

const module: ThreadModule<ReaderOptions, LedText, ReadText> = async (options) => {
  const reader = await readerOf(options)
  return (input, { signal }) => reader.read(input, { signal, tenant })
}

export default module
