import type { Turns } from '@sallyport/core'
import type { View } from './view.js'

/** Base64 and hexadecimal of at least this many bytes is decoded. */
const run = /(?:[A-Za-z0-9+/_-]{20,}={0,2})|(?:(?:[0-9a-fA-F]{2}[ :]?){16,})/g
const hexadecimal = /^(?:[0-9a-fA-F]{2}[ :]?)+$/
/** UTF-16 units that are decoded of a run: pictures are longer, and are no text. */
const longest = 65_536
const readable = /[\p{L}\p{N}\p{P}\p{Zs}\n\t]/gu
/** Share of what is decoded that must be letters and the like; keys and hashes have less. */
const enough = 0.95

/** Texts that are written in base64 or hexadecimal in a text. */
export const encodedViews = async (view: View, turns: Turns): Promise<View[]> => {
  const views: View[] = []
  for (const { 0: match, index } of view.text.matchAll(run)) {
    const text = decoded(match.slice(0, longest))
    if (text !== undefined) {
      const place = view.place(index, index + match.length)
      views.push({ text, place: () => place, hidden: true })
    }
    await turns.pause()
  }
  return views
}

const decoded = (run: string): string | undefined => {
  const bytes = hexadecimal.test(run)
    ? Buffer.from(run.replace(/[ :]/g, ''), 'hex')
    : Buffer.from(run.replace(/-/g, '+').replace(/_/g, '/'), 'base64')
  const text = bytes.toString('utf8')
  if (text.length < 8 || text.includes('\ufffd') || !text.includes(' ')) return undefined
  return (text.match(readable)?.length ?? 0) >= enough * text.length ? text : undefined
}
