import { Pacer } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { viewsOf } from '@sallyport/kit/views'
import type { Span, TextView, View } from '@sallyport/kit/views'
import { isMostlyForeign } from '../heads/language.js'
import { NGrams } from '../heads/ngrams.js'
import type { ScoredWindow } from '../heads/ngrams.js'
import { WindowCutter } from '../heads/window-cutter.js'
import type { CutWindow } from '../heads/window-cutter.js'
import { wordsOf } from '../heads/words.js'
import type { Word } from '../heads/words.js'
import { modelFolder } from '../files.js'
import { loadTokenizer } from '../models.js'
import { injectionFamilies } from '../rules/family.js'
import { Rules } from '../rules/match.js'
import type { RuleMatch } from '../rules/match.js'
import { attackWords } from '../rules/vocabulary.js'
import { threadModule } from '../threaded-reader.js'
import type { TextReader } from '../threaded-reader.js'
import type { InjectionOptions } from './options.js'

/** A window whose span refers to the original text. */
interface PlacedWindow extends Span {
  /** Whether it seems to be in another language than English. */
  readonly foreign: boolean
}

/** A window with the logits of the n-grams or the model. */
export interface ScoredPlacedWindow extends PlacedWindow {
  readonly logits: readonly number[]
}

/** A window for the model. */
interface ModelWindow extends PlacedWindow {
  readonly read: string
}

/** The result of reading a view of a text, without the model: plain data. Spans refer to the original text. */
export interface ViewReading {
  readonly hidden: boolean
  /** Whether rules alone read it, as heads read the view with spelled words joined. */
  readonly spelled: boolean
  readonly rules: readonly RuleMatch[]
  readonly ngramWindows?: readonly ScoredPlacedWindow[]
  readonly modelWindows?: readonly ModelWindow[]
}

interface Parts {
  readonly rules: Rules
  readonly ngrams?: NGrams
  /** Absent where there is no model. */
  readonly cutter?: WindowCutter
}

interface ViewState {
  readonly view: TextView
  /** The windows for the model, in the text of the view. */
  readonly cut: readonly CutWindow[]
  readonly result: ViewReading
}

/** The disguises of attacks that are undone. */
const disguises = ['encoded', 'invisible', 'spelled', 'revealed', 'turned', 'ciphered'] as const
/** The model does not read these views: a text can be made to have many, and a model is slow. */
const viewsWithoutModel: ReadonlySet<TextView['undoes']> = new Set(['turned', 'ciphered'])

/** Reads texts for attacks, without the model. */
export type InjectionTextReader = TextReader<{ readonly text: string }, ViewReading[]>

class InjectionReader implements InjectionTextReader {
  constructor(private readonly parts: Parts) {}

  async read({ text }: { readonly text: string }, requester: Requester): Promise<ViewReading[]> {
    const pacer = new Pacer(requester)
    const read: ViewState[] = []
    const views = await viewsOf(text, disguises, pacer, attackWords)
    const spelled = new Set(views.map((view) => (view.undoes === 'spelled' ? view.of : undefined)))
    for (const view of views) read.push(await this.readView(view, read, spelled.has(view), pacer))
    return read.map(({ result }) => result)
  }

  /**
   * @param others views whose windows the model need not read again where they are the same
   * @param spelled whether another view has its spelled words joined; heads read that one, as they take separate letters for
   * attacks
   */
  private async readView(
    view: TextView,
    others: readonly ViewState[],
    spelled: boolean,
    pacer: Pacer,
  ): Promise<ViewState> {
    const { cutter, ngrams } = this.parts
    const { undoes, holds, has } = view
    const words = await wordsOf(view.text, pacer)
    const other = undoes === 'spelled' ? undefined : others.find((one) => one.view === view.of)
    const isLight = spelled || viewsWithoutModel.has(undoes)
    const cut = isLight ? undefined : await cutter?.cut(view.text, pacer, { ...(other && holds && { isKnown: holds }) })
    const byGrams = spelled ? undefined : await ngrams?.score(words, pacer)
    const known = other?.cut.filter((window) => has?.(window)) ?? []
    const result: ViewReading = {
      hidden: undoes !== 'look-alikes',
      spelled,
      rules: await this.rules(view, words, pacer),
      ...(byGrams && { ngramWindows: await placeWindows<ScoredWindow>(byGrams, view, pacer) }),
      ...(cut && {
        modelWindows: [
          ...(await placeWindows(cut, view, pacer)),
          ...(other ? await placeWindows(known, other.view, pacer) : []),
        ],
      }),
    }
    return { view, cut: cut ?? [], result }
  }

  private async rules(view: View, words: readonly Word[], pacer: Pacer): Promise<RuleMatch[]> {
    const matches = await this.parts.rules.find(view.text, words, pacer)
    return matches.map((match) => ({ ...match, ...view.sourceOf(match) }))
  }
}

const placeWindows = async <Window extends Span>(
  windows: readonly Window[],
  { text, sourceOf }: View,
  pacer: Pacer,
): Promise<(Window & PlacedWindow)[]> => {
  const there: (Window & PlacedWindow)[] = []
  for (const window of windows) {
    const { start, end } = window
    there.push({ ...window, ...sourceOf(window), foreign: isMostlyForeign(text.slice(start, end)) })
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
    ...(model && { cutter: new WindowCutter(await loadTokenizer(), window) }),
  })

export default threadModule(readerOf)
