import type { Pacer } from '../../async/pacer.js'
import { bytesOfBits } from './code-lists.js'
import { textOfBytes } from './encoded.js'
import { joinedMatches } from '../matches.js'
import { linesOf } from '../edited.js'
import type { Edit } from '../edited.js'
import { bytesOf, slices } from '../slices.js'
import { originalReading } from '../view.js'
import type { View } from '../view.js'

/** A row of variation selectors, each of which is a byte; no character takes more than one. */
const selectors = /(?:[\ufe00-\ufe0f]|\udb40[\udd00-\uddef]){8,8192}/g
/** A row of characters without width; where they are of two kinds, each is a bit. */
const widthless = /[\u200b-\u200f\u2060-\u2064\ufeff]{1,8192}/g
/** Shorter rows say nothing: such characters occur in words of several scripts, and between emoji. */
const minWidthless = 64

/** What is encoded in invisible characters, a line for each row; undefined where there is nothing. */
export const invisibleView = async (text: string, pacer: Pacer): Promise<View | undefined> => {
  const lines: Edit[] = []
  for (const { pattern, bytesIn } of kinds)
    for await (const { match, index } of joinedMatches(text, pattern, 0, pacer))
      for await (const bytes of bytesIn(match, pacer)) {
        const replacement = await textOfBytes(bytes, pacer)
        if (replacement) lines.push({ replacement, start: index, end: index + match.length })
      }
  return linesOf(originalReading(text), lines)
}

async function* bytesOfSelectors(run: string, pacer: Pacer): AsyncGenerator<Buffer, void> {
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

async function* bytesOfWidthless(run: string, pacer: Pacer): AsyncGenerator<Buffer, void> {
  if (run.length < minWidthless) return
  const kinds = new Set<string>()
  for await (const slice of slices(run, pacer, (slice) => new Set(slice))) for (const kind of slice) kinds.add(kind)
  const [zero = '', one = '', ...others] = kinds
  if (others.length > 0 || one === '') return
  const bytes = await bytesOf(run, pacer, (slice) => bytesOfBits(slice.replaceAll(zero, '0').replaceAll(one, '1')))
  yield bytes
  yield Buffer.from(bytes.map((byte) => 255 - byte))
}

const kinds = [
  { pattern: selectors, bytesIn: bytesOfSelectors },
  { pattern: widthless, bytesIn: bytesOfWidthless },
]
