import { Pacer } from '@sallyport/kit/async'
import { viewsOf } from '@sallyport/kit/views'
import type { TextView } from '@sallyport/kit/views'
import type { CutWindow, WindowCutter } from '../heads/window-cutter.js'
import { wordsOf } from '../heads/words.js'
import type { FoundRule, Rules } from '../rules/match.js'
import { moved } from '../spans.js'
import type { TextReader } from '../threads/threaded-reader.js'

/** A text behind what is read with it. */
export interface LedText {
  readonly lead: string
  readonly text: string
}

/** What a text came to, but for the model: plain data. Spans are those of the text. */
export interface ReadText {
  /** Windows that the model is to read. */
  readonly asked: readonly CutWindow[]
  /** Those that end in the text. */
  readonly rules: readonly FoundRule[]
}

/** Behind one of these a text begins anew: the model need not read what stands before it, which takes as long again. */
const sentenceEnd = /(?:[.!?…。！？]["'”’)\]]*|\n)\s*$/u

/** Reads texts for what is toxic, as far as that takes no model. */
export class ToxicityReader implements TextReader<LedText, ReadText> {
  constructor(
    private readonly rules: Rules,
    private readonly cutter: WindowCutter,
  ) {}

  async read({ lead, text }: LedText, call: ConstructorParameters<typeof Pacer>[0]): Promise<ReadText> {
    const pacer = new Pacer(call)
    return { asked: await this.asked(lead, text, pacer), rules: await this.found(lead, text, pacer) }
  }

  private async asked(lead: string, text: string, pacer: Pacer): Promise<CutWindow[]> {
    const leads = sentenceEnd.test(lead) ? [] : await viewsRead(lead, pacer)
    const asked: CutWindow[] = []
    for (const view of await viewsRead(text, pacer)) {
      const before = (leads.find(({ undoes }) => undoes === view.undoes) ?? leads[0])?.text
      const cut = await this.cutter.cut(view.text, pacer, {
        ...(before !== undefined && { before }),
        ...(view.holds && { isKnown: view.holds }),
      })
      for (const { start, end, read } of cut) asked.push({ ...view.sourceOf({ start, end }), read })
    }
    return asked
  }

  private async found(lead: string, text: string, pacer: Pacer): Promise<FoundRule[]> {
    const found: FoundRule[] = []
    for (const view of await viewsRead(lead + text, pacer))
      for (const match of await this.rules.find(view.text, await wordsOf(view.text, pacer), pacer))
        found.push({ ...match, ...view.sourceOf(match) })
    return found.filter(({ end }) => end > lead.length).map((match) => ({ ...match, ...moved(match, lead.length) }))
  }
}

const viewsRead = (text: string, pacer: Pacer): Promise<TextView[]> => viewsOf(text, ['spelled', 'revealed'], pacer)
