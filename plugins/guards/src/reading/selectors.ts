import type { Turns } from '@sallyport/core'
import { bytesOfBits } from './code-lists.js'
import { textOfBytes } from './encoded.js'
import { joinedMatches } from './matches.js'
import { Rewritten } from './rewritten.js'
import type { View } from './view.js'

/** Variation selectors in a row, of which a character takes one: each is a byte. */
const selectors = /(?:[\ufe00-\ufe0f]|\udb40[\udd00-\uddef]){8,8192}/g
/** Characters of no width in a row: where they are of two kinds, each is a bit. */
const widthless = /[\u200b-\u200f\u2060-\u2064\ufeff]{64,}/g

/** What is written in characters that nobody sees, a line for each run; undefined where there is nothing. */
export const invisibleView = async (text: string, turns: Turns): Promise<View | undefined> => {
  const found = new Rewritten()
  let some = false
  const runs = [
    ...Array.from(joinedMatches(text, selectors, 0), (run) => ({ ...run, bytesOf: ofSelectors })),
    ...Array.from(joinedMatches(text, widthless, 0), (run) => ({ ...run, bytesOf: ofBits })),
  ]
  for (const { match, index, bytesOf } of runs)
    for (const bytes of bytesOf(match)) {
      const plain = await textOfBytes(bytes, turns)
      if (!plain) continue
      found.replace(`${plain}\n`, index, index + match.length)
      some = true
    }
  return some ? found.view({ text, place: (start, end) => ({ start, end }), hidden: false }) : undefined
}

const ofSelectors = (run: string): Buffer[] => {
  const bytes: number[] = []
  for (let at = 0; at < run.length; at += 1) {
    const unit = run.charCodeAt(at)
    if (unit >= 0xfe00) bytes.push(unit - 0xfe00)
    else bytes.push(run.charCodeAt((at += 1)) - 0xdd00 + 16)
  }
  return [Buffer.from(bytes)]
}

const ofBits = (run: string): Buffer[] => {
  const [zero = '', one = '', ...others] = new Set(run)
  if (others.length > 0 || one === '') return []
  const bits = run.replaceAll(zero, '0').replaceAll(one, '1')
  const bytes = bytesOfBits(bits)
  return [bytes, Buffer.from(bytes.map((byte) => 255 - byte))]
}
