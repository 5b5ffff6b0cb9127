import type { Pacer } from '../../async/pacer.js'
import { bytesOfBits } from './code-lists.js'
import { textOfBytes } from './encoded.js'
import { joinedMatches } from '../matches.js'
import { linesOf } from '../edited.js'
import type { Edit } from '../edited.js'
import { bytesOf, slices } from '../slices.js'
import { asItStands } from '../view.js'
import type { View } from '../view.js'

/** Variation selectors in a row, of which a character takes one: each is a byte. */
const selectors = /(?:[\ufe00-\ufe0f]|\udb40[\udd00-\uddef]){8,8192}/g
/** Characters of no width in a row: where they are of two kinds, each is a bit. */
const widthless = /[\u200b-\u200f\u2060-\u2064\ufeff]{1,8192}/g
/** Fewer say nothing: they stand in words of several scripts, and between emoji. */
const fewestWidthless = 64

/** What is written in characters that nobody sees, a line for each run; undefined where there is nothing. */
export const invisibleView = async (text: string, pacer: Pacer): Promise<View | undefined> => {
  const lines: Edit[] = []
  for (const { pattern, bytesIn } of kinds)
    for await (const { match, index } of joinedMatches(text, pattern, 0, pacer))
      for await (const bytes of bytesIn(match, pacer)) {
        const reads = await textOfBytes(bytes, pacer)
        if (reads) lines.push({ reads, start: index, end: index + match.length })
      }
  return linesOf(asItStands(text), lines)
}

async function* ofSelectors(run: string, pacer: Pacer): AsyncGenerator<Buffer, void> {
  yield bytesOf(run, pacer, (slice) => {
    const bytes: number[] = []
    for (let at = 0; at < slice.length; at += 1) {
      const unit = slice.charCodeAt(at)
      if (unit >= 0xfe00) bytes.push(unit - 0xfe00)
      else if (unit >= 0xdd00) bytes.push(unit - 0xdd00 + 16)
    }
    return Buffer.from(bytes)
  })
}

async function* ofBits(run: string, pacer: Pacer): AsyncGenerator<Buffer, void> {
  if (run.length < fewestWidthless) return
  const kinds = new Set<string>()
  for await (const slice of slices(run, pacer, (slice) => new Set(slice))) for (const kind of slice) kinds.add(kind)
  const [zero = '', one = '', ...others] = kinds
  if (others.length > 0 || one === '') return
  const bytes = await bytesOf(run, pacer, (slice) => bytesOfBits(slice.replaceAll(zero, '0').replaceAll(one, '1')))
  yield bytes
  yield Buffer.from(bytes.map((byte) => 255 - byte))
}

const kinds = [
  { pattern: selectors, bytesIn: ofSelectors },
  { pattern: widthless, bytesIn: ofBits },
]
