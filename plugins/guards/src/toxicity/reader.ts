import { Pacer } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { viewsOf } from '@sallyport/kit/views'
import type { TextView } from '@sallyport/kit/views'
import { WindowCutter } from '../classifiers/window-cutter.js'
import type { CutWindow } from '../classifiers/window-cutter.js'
import { wordsOf } from '../classifiers/words.js'
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

/** A text prepared for the model and searched by rules; plain data. Spans refer to the text. */
interface PreparedText {
  /** The windows for the model. */
  readonly windows: readonly CutWindow[]
  /** Matches that end in the text. */
  readonly ruleMatches: readonly RuleMatch[]
}

/** Reads texts for toxic content, without the model. */
export type ToxicityTextReader = TextReader<TextInContext, PreparedText>

/** After the end of a sentence, the model need not read the text before. */
const sentenceEnd = /(?:[.!?…。！？]["'”’)\]]*|\n)\s*$/u

class ToxicityReader implements ToxicityTextReader {
  constructor(
    private readonly rules: Rules,
    private readonly cutter: WindowCutter,
  ) {}

  async read({ before, text }: TextInContext, requester: Requester): Promise<PreparedText> {
    const pacer = new Pacer(requester)
    return {
      windows: await this.modelWindows(before, text, pacer),
      ruleMatches: await this.matchRules(before, text, pacer),
    }
  }

  private async modelWindows(before: string, text: string, pacer: Pacer): Promise<CutWindow[]> {
    const beforeViews = sentenceEnd.test(before) ? [] : await toxicityViews(before, pacer)
    const windows: CutWindow[] = []
    for (const view of await toxicityViews(text, pacer)) {
      const beforeView = beforeViews.find(({ undoes }) => undoes === view.undoes) ?? beforeViews[0]
      const cutWindows = await this.cutter.cut(view.text, pacer, {
        ...(beforeView && { before: beforeView.text }),
        ...(view.isInBase && { isCovered: view.isInBase }),
      })
      for (const { start, end, input } of cutWindows) windows.push({ ...view.sourceOf({ start, end }), input })
    }
    return windows
  }

  private async matchRules(before: string, text: string, pacer: Pacer): Promise<RuleMatch[]> {
    const matches: RuleMatch[] = []
    for (const view of await toxicityViews(before + text, pacer))
      for (const match of await this.rules.find(view.text, await wordsOf(view.text, pacer), pacer)) {
        const { start, end } = view.sourceOf(match)
        if (end > before.length)
          matches.push({ ...match, start: Math.max(0, start - before.length), end: end - before.length })
      }
    return matches
  }
}

const toxicityViews = (text: string, pacer: Pacer): Promise<TextView[]> => viewsOf(text, ['spelled', 'revealed'], pacer)

/** The options of the reader, which must be plain data for its thread. */
type ReaderOptions = Pick<ToxicityOptions, 'window'>

export const createReader = async ({ window }: ReaderOptions): Promise<ToxicityTextReader> =>
  new ToxicityReader(new Rules(toxicityFamilies), new WindowCutter(await loadTokenizer(), window))

export default threadModule(createReader)
