import type { Pacer } from '../async/pacer.js'
import { append } from '../lists/append.js'
import type { EditedView } from './edited.js'
import { encodedView } from './encoded/encoded.js'
import { invisibleView } from './encoded/invisible.js'
import { cipheredViews } from './letters/ciphered.js'
import { revealedView, spelledView } from './letters/revealed.js'
import { turnedView } from './letters/turned.js'
import type { Vocabulary } from './letters/split-words.js'
import { inOwnScript } from './plain/look-alikes.js'
import { plainReading } from './plain/reading.js'
import { once } from './shared.js'
import type { View } from './view.js'

/** The ways to hide a text. `ciphered` needs a vocabulary; `revealed` uses it to find split words and look-alikes. */
type Disguise = 'encoded' | 'invisible' | 'spelled' | 'revealed' | 'turned' | 'ciphered'

/** A view with the disguise that it undoes; views that keep the rest of another view say what they keep. */
export interface TextView extends View, Partial<Omit<EditedView, keyof View>> {
  readonly undoes: Disguise | 'look-alikes'
}

const as = (undoes: TextView['undoes'], view: View | undefined): TextView | undefined => view && { ...view, undoes }

/**
 * The views of a text that a detector reads: the text without invisible characters and look-alikes first, then what is
 * carried in it, each with its spelled words joined, then those that undo more. Views that need no vocabulary are
 * made once for all detectors that read the text at the same time.
 */
export const viewsOf = async (
  text: string,
  wanted: readonly Disguise[],
  pacer: Pacer,
  vocabulary?: Vocabulary,
): Promise<TextView[]> => {
  const made = (undoes: TextView['undoes'], from: string, make: () => View | Promise<View | undefined>) =>
    once(text, `${undoes} ${from}`, pacer.call, async () => as(undoes, await make()))
  const wants = (disguise: Disguise) => wanted.includes(disguise)
  const read = await plainReading(text, pacer)
  const plain = await made('look-alikes', '', () => ({ ...read, text: inOwnScript(read.text) }))
  const views = [
    plain,
    wants('encoded') ? await made('encoded', '', () => encodedView(plain ?? read, pacer)) : undefined,
    wants('invisible') ? await made('invisible', '', () => invisibleView(text, pacer)) : undefined,
  ].filter((view) => view !== undefined)
  const joined: TextView[] = []
  const more: (TextView | undefined)[] = []
  for (const view of views) {
    const whole = wants('spelled') ? await made('spelled', view.undoes, () => spelledView(view, pacer)) : undefined
    append(joined, whole ? [view, whole] : [view])
    if (wants('revealed')) more.push(as('revealed', await revealedView(whole ?? view, pacer, vocabulary)))
    if (wants('turned')) more.push(await made('turned', view.undoes, () => turnedView(view, pacer)))
    if (wants('ciphered') && vocabulary)
      for (const other of await cipheredViews(view, pacer, vocabulary)) more.push(as('ciphered', other))
  }
  return [...joined, ...more.filter((view) => view !== undefined)]
}
