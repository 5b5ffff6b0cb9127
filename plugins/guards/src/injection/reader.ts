import { Pacer } from '@sallyport/kit/async'
import { isForeign } from '../heads/language.js'
import type { NGrams, ScoredWindow } from '../heads/ngrams.js'
import type { CutWindow, WindowCutter } from '../heads/window-cutter.js'
import { wordsOf } from '../heads/words.js'
import type { Word } from '../heads/words.js'
import type { Span, View } from '../reading/view.js'
import { viewsOf } from '../reading/views.js'
import type { FoundRule, Rules } from '../rules/match.js'
import type { TextReader } from '../threads/threaded-reader.js'

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

/** What one way to read a text came to, but for the model: plain data. Spans are those of the original. */
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
  readonly view: View
  /** Of the model, in the text of the view. */
  readonly cut: readonly CutWindow[]
  readonly result: ReadView
}

/** Reads texts for attacks, as far as that takes no model. */
export class InjectionReader implements TextReader<string, ReadView[]> {
  constructor(private readonly parts: Parts) {}

  async read(text: string, call: ConstructorParameters<typeof Pacer>[0]): Promise<ReadView[]> {
    const pacer = new Pacer(call)
    const read: Read[] = []
    for (const view of await viewsOf(text, pacer)) read.push(await this.readView(view, read, pacer))
    return read.map(({ result }) => result)
  }

  /** @param others the model need not read again what they have as it stands here */
  private async readView(view: View, others: readonly Read[], pacer: Pacer): Promise<Read> {
    const { cutter, ngrams } = this.parts
    const words = await wordsOf(view.text, pacer)
    const other = others.find((one) => one.view === view.copied?.from)
    const isKnown = other && view.copied?.holds
    const cut =
      view.light || view.spelled ? undefined : await cutter?.cut(view.text, pacer, { ...(isKnown && { isKnown }) })
    const byGrams = view.spelled ? undefined : await ngrams?.score(words, pacer)
    const known = other?.cut.filter(({ start, end }) => view.copied?.has(start, end)) ?? []
    const result = {
      hidden: view.hidden,
      spelled: view.spelled === true,
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
    return matches.map((match) => ({ ...match, ...view.place(match.start, match.end) }))
  }
}

const placed = async <Window extends Span>(
  windows: readonly Window[],
  { text, place }: View,
  pacer: Pacer,
): Promise<(Window & PlacedWindow)[]> => {
  const there: (Window & PlacedWindow)[] = []
  for (const window of windows) {
    const { start, end } = window
    there.push({ ...window, ...place(start, end), foreign: isForeign(text.slice(start, end)) })
    await pacer.pause()
  }
  return there
}
