import { Pacer } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { viewsOf } from '@sallyport/kit/views'
import type { Span, TextView, View } from '@sallyport/kit/views'
import { isMostlyForeign } from '../classifiers/language.js'
import { NGramClassifier } from '../classifiers/ngram-classifier.js'
import type { ScoredWindow } from '../classifiers/ngram-classifier.js'
import { WindowCutter } from '../classifiers/window-cutter.js'
import type { CutWindow } from '../classifiers/window-cutter.js'
import { wordsOf } from '../classifiers/words.js'
import type { Word } from '../classifiers/words.js'
import { modelFolder } from '../files.js'
import { loadTokenizer } from '../models.js'
import { injectionFamilies } from '../rules/family.js'
import { Rules } from '../rules/match.js'
import type { RuleMatch } from '../rules/match.js'
import { attackWords } from '../rules/vocabulary.js'
import { threadModule } from '../threaded-reader.js'
import type { TextReader } from '../threaded-reader.js'
import type { InjectionSettings } from './options.js'

/** A window whose span refers to the original text. */
interface PlacedWindow extends Span {
  /** Whether it seems to be in another language than English. */
  readonly foreign: boolean
}

export interface ScoredPlacedWindow extends PlacedWindow {
  readonly logits: readonly number[]
}

interface ModelWindow extends PlacedWindow {
  readonly input: string
}

/** A view of a text prepared for the model and searched by rules; plain data. Spans refer to the original text. */
export interface PreparedView {
  /** Whether it undoes more than the first view, which is a plain reading. */
  readonly undoesDisguise: boolean
  /** Whether only the rules read it: the classifiers read another view, whose spelled-out words are joined. */
  readonly rulesOnly: boolean
  readonly ruleMatches: readonly RuleMatch[]
  readonly ngramWindows?: readonly ScoredPlacedWindow[]
  readonly modelWindows?: readonly ModelWindow[]
}

interface Parts {
  readonly rules: Rules
  readonly ngrams?: NGramClassifier
  /** Absent where there is no model. */
  readonly cutter?: WindowCutter
}

interface ViewState {
  readonly view: TextView
  /** The windows for the model, in the text of the view. */
  readonly windows: readonly CutWindow[]
  readonly result: PreparedView
}

/** The disguises of attacks that are undone. */
const disguises = ['encoded', 'invisible', 'spelled', 'revealed', 'turned', 'ciphered'] as const
/** The model does not read these views: a text can be made to have many, and a model is slow. */
const viewsWithoutModel: ReadonlySet<TextView['undoes']> = new Set(['turned', 'ciphered'])

interface ReaderInput {
  readonly text: string
  /** Whether n-grams score it, where they are on: they tell nothing of what is planted in documents. */
  readonly forNGrams: boolean
}

/** Reads texts for attacks, without the model. */
export type InjectionTextReader = TextReader<ReaderInput, PreparedView[]>

class InjectionReader implements InjectionTextReader {
  constructor(private readonly parts: Parts) {}

  async read({ text, forNGrams }: ReaderInput, requester: Requester): Promise<PreparedView[]> {
    const ngrams = forNGrams ? this.parts.ngrams : undefined
    const pacer = new Pacer(requester)
    const states: ViewState[] = []
    const views = await viewsOf(text, disguises, pacer, attackWords)
    const basesOfSpelled = new Set(views.map((view) => (view.undoes === 'spelled' ? view.base : undefined)))
    for (const view of views) {
      const rulesOnly = basesOfSpelled.has(view)
      states.push(await this.readView(view, states, rulesOnly, rulesOnly ? undefined : ngrams, pacer))
    }
    return states.map(({ result }) => result)
  }

  /**
   * @param earlier the views that were read before; the windows that a view shares with its base are taken from there
   * @param rulesOnly whether another view has its spelled-out words joined; the classifiers read that one, as they take
   * separate letters for attacks
   */
  private async readView(
    view: TextView,
    earlier: readonly ViewState[],
    rulesOnly: boolean,
    ngrams: NGramClassifier | undefined,
    pacer: Pacer,
  ): Promise<ViewState> {
    const { cutter } = this.parts
    const { undoes, isInBase, keepsOfBase } = view
    const words = await wordsOf(view.text, pacer)
    const base = undoes === 'spelled' ? undefined : earlier.find((one) => one.view === view.base)
    const skipsModel = rulesOnly || viewsWithoutModel.has(undoes)
    const windows = skipsModel
      ? undefined
      : await cutter?.cut(view.text, pacer, { ...(base && isInBase && { isCovered: isInBase }) })
    const ngramScores = await ngrams?.score(words, pacer)
    const windowsOfBase = base?.windows.filter((window) => keepsOfBase?.(window)) ?? []
    const result: PreparedView = {
      undoesDisguise: undoes !== 'look-alikes',
      rulesOnly,
      ruleMatches: await this.matchRules(view, words, pacer),
      ...(ngramScores && { ngramWindows: await placeWindows<ScoredWindow>(ngramScores, view, pacer) }),
      ...(windows && {
        modelWindows: [
          ...(await placeWindows(windows, view, pacer)),
          ...(base ? await placeWindows(windowsOfBase, base.view, pacer) : []),
        ],
      }),
    }
    return { view, windows: windows ?? [], result }
  }

  private async matchRules(view: View, words: readonly Word[], pacer: Pacer): Promise<RuleMatch[]> {
    const matches = await this.parts.rules.find(view.text, words, pacer)
    return matches.map((match) => ({ ...match, ...view.sourceOf(match) }))
  }
}

const placeWindows = async <Window extends Span>(
  windows: readonly Window[],
  { text, sourceOf }: View,
  pacer: Pacer,
): Promise<(Window & PlacedWindow)[]> => {
  const placed: (Window & PlacedWindow)[] = []
  for (const window of windows) {
    const { start, end } = window
    placed.push({ ...window, ...sourceOf(window), foreign: isMostlyForeign(text.slice(start, end)) })
    await pacer.pause()
  }
  return placed
}

/** The options of the reader, which must be plain data for its thread. */
export type ReaderOptions = Pick<InjectionSettings, 'model' | 'ngrams' | 'window' | 'ignore'>

export const createReader = async ({ model, ngrams, window, ignore }: ReaderOptions): Promise<InjectionTextReader> =>
  new InjectionReader({
    rules: new Rules(injectionFamilies.filter(({ type }) => !ignore.includes(type))),
    ...(ngrams && { ngrams: await NGramClassifier.load(modelFolder) }),
    ...(model && { cutter: new WindowCutter(await loadTokenizer(), window) }),
  })

export default threadModule(createReader)
