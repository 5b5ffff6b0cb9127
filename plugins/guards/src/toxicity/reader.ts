import { Pacer } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { viewsOf } from '@sallyport/kit/views'
import type { TextView } from '@sallyport/kit/views'
import { WindowCutter } from '../heads/window-cutter.js'
import type { CutWindow } from '../heads/window-cutter.js'
import { wordsOf } from '../heads/words.js'
import { loadTokenizer } from '../models.js'
import { toxicityFamilies } from '../rules/family.js'
import { Rules } from '../rules/match.js'
import type { RuleMatch } from '../rules/match.js'
import { threadModule } from '../threaded-reader.js'
import type { TextReader } from '../threaded-reader.js'
import type { ToxicityOptions } from './options.js'

/** A text and the end of the text before it. */
interface TextInContext {
  readonly before: string
  readonly text: string
}

/** The result of reading a text, without the model: plain data. Spans refer to the text. */
interface TextReading {
  /** The windows for the model. */
  readonly windows: readonly CutWindow[]
  /** Matches that end in the text. */
  readonly rules: readonly RuleMatch[]
}

/** Reads texts for toxic content, without the model. */
export type ToxicityTextReader = TextReader<TextInContext, TextReading>

/** After the end of a sentence, the model need not read the text before, which would double the time. */
const sentenceEnd = /(?:[.!?…。！？]["'”’)\]]*|\n)\s*$/u

class ToxicityReader implements ToxicityTextReader {
  constructor(
    private readonly rules: Rules,
    private readonly cutter: WindowCutter,
  ) {}

  async read({ before, text }: TextInContext, requester: Requester): Promise<TextReading> {
    const pacer = new Pacer(requester)
    return { windows: await this.modelWindows(before, text, pacer), rules: await this.matchRules(before, text, pacer) }
  }

  private async modelWindows(lead: string, text: string, pacer: Pacer): Promise<CutWindow[]> {
    const leads = sentenceEnd.test(lead) ? [] : await toxicityViews(lead, pacer)
    const windows: CutWindow[] = []
    for (const view of await toxicityViews(text, pacer)) {
      const before = (leads.find(({ undoes }) => undoes === view.undoes) ?? leads[0])?.text
      const cut = await this.cutter.cut(view.text, pacer, {
        ...(before !== undefined && { before }),
        ...(view.holds && { isKnown: view.holds }),
      })
      for (const { start, end, read } of cut) windows.push({ ...view.sourceOf({ start, end }), read })
    }
    return windows
  }

  private async matchRules(lead: string, text: string, pacer: Pacer): Promise<RuleMatch[]> {
    const found: RuleMatch[] = []
    for (const view of await toxicityViews(lead + text, pacer))
      for (const match of await this.rules.find(view.text, await wordsOf(view.text, pacer), pacer)) {
        const { start, end } = view.sourceOf(match)
        if (end > lead.length) found.push({ ...match, start: Math.max(0, start - lead.length), end: end - lead.length })
      }
    return found
  }
}

const toxicityViews = (text: string, pacer: Pacer): Promise<TextView[]> => viewsOf(text, ['spelled', 'revealed'], pacer)

/** Plain data. */
type ReaderOptions = Pick<ToxicityOptions, 'window'>

export const readerOf = async ({ window }: ReaderOptions): Promise<ToxicityTextReader> =>
  new ToxicityReader(new Rules(toxicityFamilies), new WindowCutter(await loadTokenizer(), window))

export default threadModule(readerOf)
