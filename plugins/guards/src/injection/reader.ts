import { Pacer } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { viewsOf } from '@sallyport/kit/views'
import type { Span, TextView, View } from '@sallyport/kit/views'
import { isForeign } from '../heads/language.js'
import { NGrams } from '../heads/ngrams.js'
import type { ScoredWindow } from '../heads/ngrams.js'
import { WindowCutter } from '../heads/window-cutter.js'
import type { CutWindow } from '../heads/window-cutter.js'
import { wordsOf } from '../heads/words.js'
import type { Word } from '../heads/words.js'
import { modelFolder } from '../files.js'
import { wordPieces } from '../models.js'
import { injectionFamilies } from '../rules/family.js'
import { Rules } from '../rules/match.js'
import type { FoundRule } from '../rules/match.js'
import { attackWords } from '../rules/vocabulary.js'
import { threadModule } from '../threaded-reader.js'
import type { TextReader } from '../threaded-reader.js'
import type { InjectionOptions } from './options.js'

/** The span is one of the original. */
interface PlacedWindow extends Span {
  /** Whether it is rather in another language than in English. */
  readonly foreign: boolean
}

/** A window that the n-grams have read, or the model. */
export interface ReadWindow extends PlacedWindow {
  readonly logits: readonly number[]
}

/** A window that the model is to read. */
interface AskedWindow extends PlacedWindow {
  readonly read: string
}

/** What one way to read a text came to, except for the model: plain data. Spans are those of the original. */
export interface ReadView {
  readonly hidden: boolean
  /** Whether rules alone look at it. */
  readonly spelled: boolean
  readonly rules: readonly FoundRule[]
  readonly byGrams?: readonly ReadWindow[]
  readonly asked?: readonly AskedWindow[]
}

interface Parts {
  readonly rules: Rules
  readonly ngrams?: NGrams
  /** Absent where there is no model. */
  readonly cutter?: WindowCutter
}

interface Read {
  readonly view: TextView
  /** Windows for the model, in the text of the view. */
  readonly cut: readonly CutWindow[]
  readonly result: ReadView
}

/** What attacks hide in. */
const disguises = ['encoded', 'invisible', 'spelled', 'revealed', 'turned', 'ciphered'] as const
/** Rules and n-grams are enough for these: a text may be made to have many, and a model takes its time. */
const rulesAndGrams: ReadonlySet<TextView['undoes']> = new Set(['turned', 'ciphered'])

/** Reads texts for attacks, as far as that takes no model. */
export type InjectionTextReader = TextReader<{ readonly text: string }, ReadView[]>

class InjectionReader implements InjectionTextReader {
  constructor(private readonly parts: Parts) {}

  async read({ text }: { readonly text: string }, asking: Requester): Promise<ReadView[]> {
    const pacer = new Pacer(asking)
    const read: Read[] = []
    const views = await viewsOf(text, disguises, pacer, attackWords)
    const spelled = new Set(views.map((view) => (view.undoes === 'spelled' ? view.of : undefined)))
    for (const view of views) read.push(await this.readView(view, read, spelled.has(view), pacer))
    return read.map(({ result }) => result)
  }

  /**
   * @param others the model need not read again what they have as it stands here
   * @param spelled heads read the view in which its spelled words are joined, all of it: letters that stand alone are
   * attacks to them, whatever they spell
   */
  private async readView(view: TextView, others: readonly Read[], spelled: boolean, pacer: Pacer): Promise<Read> {
    const { cutter, ngrams } = this.parts
    const { undoes, holds, has } = view
    const words = await wordsOf(view.text, pacer)
    const other = undoes === 'spelled' ? undefined : others.find((one) => one.view === view.of)
    const isLight = spelled || rulesAndGrams.has(undoes)
    const cut = isLight ? undefined : await cutter?.cut(view.text, pacer, { ...(other && holds && { isKnown: holds }) })
    const byGrams = spelled ? undefined : await ngrams?.score(words, pacer)
    const known = other?.cut.filter((window) => has?.(window)) ?? []
    const result = {
      hidden: undoes !== 'look-alikes',
      spelled,
      rules: await this.rules(view, words, pacer),
      ...(byGrams && { byGrams: await placed<ScoredWindow>(byGrams, view, pacer) }),
      ...(cut && {
        asked: [...(await placed(cut, view, pacer)), ...(other ? await placed(known, other.view, pacer) : [])],
      }),
    }
    return { view, cut: cut ?? [], result }
  }

  private async rules(view: View, words: readonly Word[], pacer: Pacer): Promise<FoundRule[]> {
    const matches = await this.parts.rules.find(view.text, words, pacer)
    return matches.map((match) => ({ ...match, ...view.sourceOf(match) }))
  }
}

const placed = async <Window extends Span>(
  windows: readonly Window[],
  { text, sourceOf }: View,
  pacer: Pacer,
): Promise<(Window & PlacedWindow)[]> => {
  const there: (Window & PlacedWindow)[] = []
  for (const window of windows) {
    const { start, end } = window
    there.push({ ...window, ...sourceOf(window), foreign: isForeign(text.slice(start, end)) })
    await pacer.pause()
  }
  return there
}

/** Plain data. */
export type ReaderOptions = Pick<InjectionOptions, 'model' | 'ngrams' | 'window' | 'ignore'>

export const readerOf = async ({ model, ngrams, window, ignore }: ReaderOptions): Promise<InjectionTextReader> =>
  new InjectionReader({
    rules: new Rules(injectionFamilies.filter(({ id }) => !ignore.includes(id))),
    ...(ngrams && { ngrams: await NGrams.load(modelFolder) }),
    ...(model && { cutter: new WindowCutter(await wordPieces(), window) }),
  })

export default threadModule(readerOf)
