import type { Turns } from '@sallyport/core'
import { Rewritten } from './rewritten.js'
import type { View } from './view.js'

/** Base64 and hexadecimal of at least this many bytes is decoded. */
const run = /(?:[A-Za-z0-9+/_-]{20,}={0,2})|(?:(?:[0-9a-fA-F]{2}[ :]?){16,})/g
const hexadecimal = /^(?:[0-9a-fA-F]{2}[ :]?)+$/
/** Bytes that are judged together: what is no text may stand before what is. */
const slice = 49_152
const readable = /[\p{L}\p{N}\p{P}\p{Zs}\n\t]/gu
/** Share of what is decoded that must be letters and the like; keys and hashes have less. */
const enough = 0.95

/** What is written in base64 or hexadecimal in a text, a line for each run of it; undefined where there is nothing. */
export const encodedView = async (view: View, turns: Turns): Promise<View | undefined> => {
  const text = new Rewritten()
  let found = false
  for (const { 0: match, index } of view.text.matchAll(run)) {
    let plain = ''
    for (const bytes of slices(bytesOf(match))) {
      plain += readableText(bytes)
      await turns.pause()
    }
    if (plain) text.replace(`${plain}\n`, index, index + match.length)
    found ||= plain !== ''
  }
  return found ? text.view(view) : undefined
}

const bytesOf = (run: string): Buffer =>
  hexadecimal.test(run)
    ? Buffer.from(run.replace(/[ :]/g, ''), 'hex')
    : Buffer.from(run.replace(/-/g, '+').replace(/_/g, '/'), 'base64')

/** Cut between characters of UTF-8; the last one is the longest. */
function* slices(bytes: Buffer): Generator<Buffer> {
  let from = 0
  while (bytes.length - from >= 2 * slice) {
    let to = from + slice
    while (to > from + slice - 3 && ((bytes[to] ?? 0) & 0xc0) === 0x80) to -= 1
    yield bytes.subarray(from, to)
    from = to
  }
  yield bytes.subarray(from)
}

/** Empty where it is none. */
const readableText = (bytes: Buffer): string => {
  const text = bytes.toString('utf8')
  if (text.length < 8 || text.includes('\ufffd') || !text.includes(' ')) return ''
  return (text.match(readable)?.length ?? 0) >= enough * text.length ? text : ''
}
