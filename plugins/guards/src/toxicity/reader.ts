import { Pacer } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { viewsOf } from '@sallyport/kit/views'
import type { TextView } from '@sallyport/kit/views'
import { WindowCutter } from '../heads/window-cutter.js'
import type { CutWindow } from '../heads/window-cutter.js'
import { wordsOf } from '../heads/words.js'
import { wordPieces } from '../models.js'
import { toxicityFamilies } from '../rules/family.js'
import { Rules } from '../rules/match.js'
import type { FoundRule } from '../rules/match.js'
import { threadModule } from '../threaded-reader.js'
import type { TextReader } from '../threaded-reader.js'
import type { ToxicityOptions } from './options.js'

/** A text and the end of what stands before it. */
interface LedText {
  readonly lead: string
  readonly text: string
}

/** What a text came to, except for the model: plain data. Spans are those of the text. */
interface ReadText {
  /** Windows that the model is to read. */
  readonly asked: readonly CutWindow[]
  /** Matches that end in the text. */
  readonly rules: readonly FoundRule[]
}

/** Reads texts for what is toxic, as far as that takes no model. */
export type ToxicityTextReader = TextReader<LedText, ReadText>

/** Behind one of these a text begins anew: the model need not read what stands before it, which takes as long again. */
const sentenceEnd = /(?:[.!?…。！？]["'”’)\]]*|\n)\s*$/u

class ToxicityReader implements ToxicityTextReader {
  constructor(
    private readonly rules: Rules,
    private readonly cutter: WindowCutter,
  ) {}

  async read({ lead, text }: LedText, asking: Requester): Promise<ReadText> {
    const pacer = new Pacer(asking)
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
      for (const match of await this.rules.find(view.text, await wordsOf(view.text, pacer), pacer)) {
        const { start, end } = view.sourceOf(match)
        if (end > lead.length) found.push({ ...match, start: Math.max(0, start - lead.length), end: end - lead.length })
      }
    return found
  }
}

const viewsRead = (text: string, pacer: Pacer): Promise<TextView[]> => viewsOf(text, ['spelled', 'revealed'], pacer)

/** Plain data. */
type ReaderOptions = Pick<ToxicityOptions, 'window'>

export const readerOf = async ({ window }: ReaderOptions): Promise<ToxicityTextReader> =>
  new ToxicityReader(new Rules(toxicityFamilies), new WindowCutter(await wordPieces(), window))

export default threadModule(readerOf)
