import type { Pacer } from '../../async/pacer.js'
import { linesOf } from '../edited.js'
import type { Edit } from '../edited.js'
import type { View } from '../view.js'

/** Letters that look upside down, and the letters that they stand for. */
const turned = {
  ɐɔǝɟƃɓɥᴉıɾʞɯɹʇʌʍʎ: 'acefgghiijkmrtvwy',
  '∀ƆƎℲ⅁⅂˥Ԁᴚ⊥┴∩Λ⅄': 'ACEFGLLPRTTUVY',
  'bdnpquMW˙¡¿': 'qpudbnWM.!?',
}
const letters = new Map(
  Object.entries(turned).flatMap(([from, to]) =>
    Array.from(from, (one, index): [string, string] => [one, to.charAt(index)]),
  ),
)
/** Upside-down letters that other texts hardly have, and how many of them a line must have. */
const sign = /[ɐɔǝɟɥᴉɾʞɯɹʇʌʍʎ]/g
const minSigns = 6
/** UTF-16 code units that are read as one line. */
const maxLineLength = 4096
const line = new RegExp(`[^\\n]{1,${maxLineLength}}`, 'g')

/** Lines of upside-down letters, read from their end and from their beginning; undefined where there are none. */
export const turnedView = async (view: View, pacer: Pacer): Promise<View | undefined> => {
  if (view.text.search(sign) < 0) return undefined
  const lines: Edit[] = []
  for (const { 0: match, index } of view.text.matchAll(line)) {
    await pacer.pause()
    if ((match.match(sign)?.length ?? 0) < minSigns) continue
    const upright = Array.from(match, (one) => letters.get(one) ?? one)
    for (const order of [upright.toReversed(), upright])
      lines.push({ replacement: order.join(''), start: index, end: index + match.length })
  }
  return linesOf(view, lines)
}
