import type { Pacer } from '../../async/pacer.js'
import { linesOf } from '../edited.js'
import type { Edit } from '../edited.js'
import type { View } from '../view.js'

/** Letters that stand on their heads, and what they are when they are turned back. */
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
/** Those that other texts hardly have, and how many make a line worth to be turned. */
const sign = /[ɐɔǝɟɥᴉɾʞɯɹʇʌʍʎ]/g
const fewest = 6
/** UTF-16 units of a line that is turned as a whole. */
const longest = 4096
const line = new RegExp(`[^\\n]{1,${longest}}`, 'g')

/** Lines whose letters stand on their heads, read from their end and as they stand; undefined where there are none. */
export const turnedView = async (view: View, pacer: Pacer): Promise<View | undefined> => {
  if (view.text.search(sign) < 0) return undefined
  const lines: Edit[] = []
  for (const { 0: match, index } of view.text.matchAll(line)) {
    await pacer.pause()
    if ((match.match(sign)?.length ?? 0) < fewest) continue
    const upright = Array.from(match, (one) => letters.get(one) ?? one)
    for (const order of [upright.toReversed(), upright])
      lines.push({ reads: order.join(''), start: index, end: index + match.length })
  }
  return linesOf(view, lines)
}
