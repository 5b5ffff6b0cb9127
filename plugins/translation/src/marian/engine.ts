import type { Call, LanguagePair } from '@sallyport/core'
import type { Engine } from '../engine.js'
import { splitToLength } from '../text/sentences.js'
import type { MarianConfig } from './config.js'
import { Decoding } from './decoder.js'
import type { Graphs } from './decoder.js'
import { beamSearch } from './search.js'
import type { MarianTokenizer } from './tokenizer.js'

interface MarianParts {
  readonly tokenizer: MarianTokenizer
  readonly config: MarianConfig
  /** Inspects the graphs at the first request, as they may be loaded later. @throws model_invalid */
  readonly graphs: (call: Call) => Promise<Graphs>
  readonly pairs: readonly LanguagePair[]
  /** The token id before a text, by target language. */
  readonly prefixes: ReadonlyMap<string, number>
  readonly beams: number
  readonly lengthPenalty: number
  readonly batch: number
}

/** Translates sentences in batches of similar length. */
export class MarianEngine implements Engine {
  readonly maxLength = 400
  readonly joinsSentences = false
  readonly pairs: readonly LanguagePair[]
  private graphs: Graphs | undefined

  constructor(private readonly parts: MarianParts) {
    this.pairs = parts.pairs
  }

  async translate(units: readonly string[], { target }: LanguagePair, call: Call): Promise<string[]> {
    const prefix = this.parts.prefixes.get(target)
    const sentences = units.flatMap((text, unit) => this.sentences(text, prefix).map((ids) => ({ unit, ids })))
    const bySize = [...sentences.entries()].sort(([, one], [, other]) => one.ids.length - other.ids.length)
    const translations: string[] = []
    for (let start = 0; start < bySize.length; start += this.parts.batch) {
      const batch = bySize.slice(start, start + this.parts.batch)
      const sources = batch.map(([, { ids }]) => ids)
      const found = await this.translateTogether(sources, call)
      for (const [index, [place]] of batch.entries()) translations[place] = found[index] ?? ''
    }
    const parts = units.map((): string[] => [])
    for (const [place, { unit }] of sentences.entries()) parts[unit]?.push(translations[place] ?? '')
    return parts.map((translated) => translated.join(' '))
  }

  /** The tokens of a text with its special ones; a text with too many tokens becomes several. */
  private sentences(text: string, prefix: number | undefined): number[][] {
    const { config, tokenizer } = this.parts
    const ids = [...(prefix === undefined ? [] : [prefix]), ...tokenizer.encode(text), config.endId]
    if (ids.length <= config.contextLength || text.length < 2) return [ids.slice(0, config.contextLength)]
    return splitToLength(text, Math.ceil(text.length / 2)).flatMap((part) => this.sentences(part, prefix))
  }

  private async translateTogether(sources: readonly (readonly number[])[], call: Call): Promise<string[]> {
    const { config, beams, lengthPenalty, tokenizer } = this.parts
    this.graphs ??= await this.parts.graphs(call)
    const decoding = await Decoding.start(this.graphs, sources, call)
    // A longer translation repeats itself.
    const maxLength = sources.map(({ length }) => Math.min(config.contextLength - 1, 3 * length + 20))
    const { startId, endId, banned } = config
    const found = await beamSearch(decoding, maxLength, { beams, lengthPenalty, startId, endId, banned }, call)
    return found.map((ids) => tokenizer.decode(ids))
  }
}
