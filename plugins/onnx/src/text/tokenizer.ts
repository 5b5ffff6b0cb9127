import { failure } from '@sallyport/core'
import type { Requester } from '@sallyport/kit/async'
import { knownTokens } from '@sallyport/kit/generation'
import { refuseInvalid } from './tokenizer-definition.js'
import type { TokenizerDefinition } from './tokenizer-definition.js'
import type { Encoding, TokenTemplate, TokenTemplates } from './token-template.js'
import { NativeTokenizer } from './native.js'
import { WindowedTokenizer } from './windowed-tokenizer.js'
import type { TextToken } from './windowed-tokenizer.js'

export { readDefinition } from './tokenizer-definition.js'

export interface EncodeOptions {
  /** The second text, for models that compare. */
  readonly pair?: string
  /** Which end of a text is cut when it is too long; refused when absent. Of a pair, the longer text is cut. */
  readonly truncate?: Side
  /** Cuts the second text of a pair, even if it is shorter, down to a quarter of the room, and only then the first. */
  readonly keepFirst?: boolean
}

/** UTF-16 code units that are tokenized at once. This takes some 10 ms, half of which block the event loop. */
const windowLength = 8192
/** UTF-16 code units that are tokenized for each token that is needed, where the text need not be tokenized whole. */
const codeUnitsPerToken = 8
const minWindowLength = 1024

type Side = 'left' | 'right'

/** A tokenizer from a tokenizer.json. It never finds special tokens in a text. */
export class TextTokenizer {
  readonly padId: number
  /** Special tokens around one text, and around two. */
  readonly templates: TokenTemplates
  private readonly vocabulary: TokenizerDefinition['vocabulary']
  readonly native: NativeTokenizer
  private readonly windowed: WindowedTokenizer
  private readonly unknownId: number | undefined

  /** @param contextLength special tokens included @throws model_invalid */
  constructor(
    { model, json, padId, templates, vocabulary, unknownId }: TokenizerDefinition,
    readonly contextLength: number,
  ) {
    this.padId = padId
    this.templates = templates
    this.vocabulary = vocabulary
    this.unknownId = unknownId
    this.native = refuseInvalid(model, () => new NativeTokenizer(json()))
    this.windowed = new WindowedTokenizer(this.native, vocabulary)
  }

  /**
   * Tokenizes a text, or a pair, for the model.
   * @throws context_exceeded, before long work where the text is far too long; the signal's reason
   */
  async encode(text: string, options: EncodeOptions, requester: Requester): Promise<Encoding> {
    if (options.pair !== undefined) return this.encodePair(text, options.pair, options, requester)
    const { single } = this.templates
    const room = this.roomIn(single)
    const { ids, isWhole } = await this.tokenizeUpTo(text, room, options.truncate, requester)
    if (ids.length > room && !options.truncate) throw this.tooLong(ids.length + single.specialTokenCount, isWhole)
    return single.apply(cut(ids, room, options.truncate))
  }

  /** Like {@link encode}, from ids. @throws also invalid_request, naming an invalid id (`tokens[5]`) */
  async encodeIds(
    ids: readonly number[],
    { truncate }: Pick<EncodeOptions, 'truncate'>,
    requester: Requester,
  ): Promise<Encoding> {
    const { single } = this.templates
    const room = this.roomIn(single)
    const unknown = this.unknownId === undefined ? await this.idsOf('\ufffd', requester) : [this.unknownId]
    const known = knownTokens(ids, { has: (id) => this.vocabulary[id] !== undefined, unknown }, 'tokens')
    if (known.length > room && !truncate) throw this.tooLong(known.length + single.specialTokenCount, true)
    return single.apply(cut(known, room, truncate))
  }

  /** The tokens of a text without special ones, window by window. @throws the signal's reason */
  tokens(text: string, requester: Requester): AsyncGenerator<readonly TextToken[]> {
    return this.windowed.tokenize(text, windowLength, 'forward', requester)
  }

  /** An id outside the vocabulary becomes U+FFFD, and a special token nothing. */
  detokenize(ids: readonly number[]): string {
    return this.native.decode(ids.map((id) => this.vocabulary[id] ?? '\ufffd').filter((token) => token !== ''))
  }

  private async encodePair(
    first: string,
    second: string,
    options: EncodeOptions,
    requester: Requester,
  ): Promise<Encoding> {
    const { truncate, keepFirst } = options
    const { pair } = this.templates
    const room = this.roomIn(pair)
    const [one, other] = await Promise.all([
      this.tokenizeUpTo(first, room, truncate, requester),
      this.tokenizeUpTo(second, room, truncate, requester),
    ])
    const length = one.ids.length + other.ids.length
    if (length > room && !truncate) throw this.tooLong(length + pair.specialTokenCount, one.isWhole && other.isWhole)
    const lengths = pairLengths(one.ids.length, other.ids.length, room, keepFirst)
    return pair.apply(cut(one.ids, lengths.first, truncate), cut(other.ids, lengths.second, truncate))
  }

  private roomIn(template: TokenTemplate): number {
    return Math.max(0, this.contextLength - template.specialTokenCount)
  }

  /** The ids of a text, which is tokenized until they do not fit: from its beginning, or with `left` from its end. */
  private async tokenizeUpTo(
    text: string,
    room: number,
    truncate: Side = 'right',
    requester: Requester,
  ): Promise<{ ids: readonly number[]; isWhole: boolean }> {
    const length = Math.min(windowLength, Math.max(minWindowLength, room * codeUnitsPerToken))
    if (text.length <= length) return { ids: await this.idsOf(text, requester), isWhole: true }
    const parts: number[][] = []
    let count = 0
    const direction = truncate === 'right' ? 'forward' : 'backward'
    for await (const tokens of this.windowed.tokenize(text, length, direction, requester)) {
      const ids = tokens.map(({ id }) => id)
      if (truncate === 'right') parts.push(ids)
      else parts.unshift(ids)
      count += ids.length
      if (count > room) return { ids: parts.flat(), isWhole: false }
    }
    return { ids: parts.flat(), isWhole: true }
  }

  private async idsOf(text: string, requester: Requester): Promise<number[]> {
    return (await this.native.encode(text, requester)).getIds()
  }

  private tooLong(tokens: number, isExact: boolean) {
    return failure('context_exceeded', { tokens, limit: this.contextLength, ...(isExact ? {} : { atLeast: true }) })
  }
}

const cut = (ids: readonly number[], room: number, truncate: Side = 'right'): readonly number[] => {
  if (ids.length <= room) return ids
  return truncate === 'right' ? ids.slice(0, room) : ids.slice(ids.length - room)
}

/**
 * The lengths to which a pair that does not fit is cut: the longer text is cut until both are equal, as in the
 * tokenizers library (`longest_first`).
 * @param keepFirst cut the second one instead, until a quarter of the room is left to it
 */
export const pairLengths = (
  first: number,
  second: number,
  room: number,
  keepFirst = false,
): { readonly first: number; readonly second: number } => {
  if (first + second <= room) return { first, second }
  if (keepFirst) {
    const kept = Math.min(first, room - Math.min(second, Math.floor(room / 4)))
    return { first: kept, second: Math.min(second, room - kept) }
  }
  const shorter = Math.min(first, second, Math.floor(room / 2))
  return first > second ? { first: room - shorter, second: shorter } : { first: shorter, second: room - shorter }
}
