import { isRecord } from '@sallyport/kit/json'
import type { ModelFolder } from './model-folder.js'

/** The text of the token for padding; undefined where tokenizer_config.json does not tell it. */
export const padToken = (folder: ModelFolder): string | undefined => {
  const stated = folder.json('tokenizer_config.json')?.['pad_token']
  const text = isRecord(stated) ? stated['content'] : stated
  return typeof text === 'string' ? text : undefined
}
