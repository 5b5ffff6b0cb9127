import type { Turns } from '@sallyport/core'
import { Rewritten } from './rewritten.js'
import type { View } from './view.js'

/** Base64 and hexadecimal of at least this many bytes is decoded. */
const run = /(?:[A-Za-z0-9+/_-]{20,}={0,2})|(?:(?:[0-9a-fA-F]{2}[ :]?){16,})/g
const hexadecimal = /^(?:[0-9a-fA-F]{2}[ :]?)+$/
/** UTF-16 units that are decoded of a run: pictures are longer, and are no text. */
const longest = 65_536
const readable = /[\p{L}\p{N}\p{P}\p{Zs}\n\t]/gu
/** Share of what is decoded that must be letters and the like; keys and hashes have less. */
const enough = 0.95

/** What is written in base64 or hexadecimal in a text, a line for each run; undefined where there is nothing. */
export const encodedView = async (view: View, turns: Turns): Promise<View | undefined> => {
  const text = new Rewritten()
  let found = false
  for (const { 0: match, index } of view.text.matchAll(run)) {
    const plain = decoded(match.slice(0, longest))
    if (plain !== undefined) text.replace(`${plain}\n`, index, index + match.length)
    found ||= plain !== undefined
    await turns.pause()
  }
  return found ? text.view(view) : undefined
}

const decoded = (run: string): string | undefined => {
  const bytes = hexadecimal.test(run)
    ? Buffer.from(run.replace(/[ :]/g, ''), 'hex')
    : Buffer.from(run.replace(/-/g, '+').replace(/_/g, '/'), 'base64')
  const text = bytes.toString('utf8')
  if (text.length < 8 || text.includes('\ufffd') || !text.includes(' ')) return undefined
  return (text.match(readable)?.length ?? 0) >= enough * text.length ? text : undefined
}
