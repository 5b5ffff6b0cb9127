import { failure } from '@sallyport/core'
import type { Token } from '@sallyport/core'
import { knownTokens } from '@sallyport/kit/generation'
import { madeOf } from '@sallyport/kit/async'
import type { Steps } from '@sallyport/kit/async'
import { readDefinition, shown } from './definition.js'
import type { TokenizerDefinition } from './definition.js'
import { Detokenization } from './detokenization.js'
import type { NamedToken } from './detokenization.js'
import type { Frame } from './frame.js'
import { pairLengths } from './pair-lengths.js'
import { TextReader } from './text-reader.js'
import type { TextPart } from './text-reader.js'
import { TextSlices } from './text-slices.js'
import type { EncodeOptions, Encoding, TextTokenizer } from './text-tokenizer.js'
import { wellFormed } from './well-formed.js'

export interface JsonTokenizerOptions {
  /** For error messages. */
  readonly model: string
  /** The parsed tokenizer.json. */
  readonly definition: unknown
  /** Most tokens that the model takes, special tokens included. */
  readonly limit: number
  /** The text of the token for padding, where the model's other files say it. */
  readonly padToken?: string | undefined
}

/** UTF-16 units that are read without a pause: some 10 to 40 ms. */
const sliceLength = 16_384
/** Of a text that need not be read whole, so many for each token that is needed, and never less than the second. */
const unitsPerToken = 8
const shortestSlice = 1024

/** The beginning or the end of a text in tokens. */
interface Reading {
  readonly ids: number[]
  readonly isWhole: boolean
}

type Side = 'left' | 'right'

/** A tokenizer from a tokenizer.json. The texts of special tokens are text to it. */
export class JsonTokenizer implements TextTokenizer {
  readonly limit: number
  readonly padId: number
  /** Around one text, and around two. */
  readonly frames: { readonly single: Frame; readonly pair: Frame }
  private readonly names: readonly (NamedToken | undefined)[]
  private readonly reader: TextReader
  private readonly slices: TextSlices
  private readonly detokenization: Detokenization
  /** What an id outside the vocabulary is read as. */
  private readonly unknown: readonly number[]

  /** @throws model_invalid */
  constructor({ model, definition, limit, padToken }: JsonTokenizerOptions) {
    const read = readDefinition(model, definition, padToken)
    const { steps, padId, unknownId, prefixesWordStart, frames } = read
    this.limit = limit
    this.padId = padId
    this.names = namesOf(read)
    this.frames = frames
    this.reader = new TextReader(read)
    this.slices = new TextSlices(this.reader)
    this.detokenization = new Detokenization(steps.decoder, prefixesWordStart)
    this.unknown = unknownId === undefined ? this.idsOf('\uFFFD') : [unknownId]
  }

  encode(text: string, options: EncodeOptions = {}): Encoding {
    return madeOf(this.encodeInSteps(text, options))
  }

  *encodeInSteps(text: string, options: EncodeOptions = {}): Steps<Encoding> {
    if (options.pair !== undefined) return yield* this.encodePair(text, options.pair, options)
    const { single } = this.frames
    const room = this.roomIn(single)
    const reading = yield* this.read(text, room, options.truncate)
    if (reading.ids.length > room && !options.truncate)
      throw this.tooLong(reading.ids.length + single.size, reading.isWhole)
    return single.around(cut(reading.ids, room, options.truncate))
  }

  encodeIds(ids: readonly number[], { truncate }: Pick<EncodeOptions, 'truncate'> = {}): Encoding {
    const { single } = this.frames
    const room = this.roomIn(single)
    const known = knownTokens(ids, { has: (id) => this.names[id] !== undefined, unknown: this.unknown }, 'tokens')
    if (known.length > room && !truncate) throw this.tooLong(known.length + single.size, true)
    return single.around(cut(known, room, truncate))
  }

  /**
   * Without special tokens and without limit, spans in code points: a part of the text after the other, each of which
   * takes some milliseconds.
   */
  *tokenizeParts(text: string): Generator<Token[]> {
    const read = wellFormed(text)
    let points = 0
    let units = 0
    for (const parts of this.parts(read)) {
      const positions = new CodePoints(read, units, points)
      yield parts.map(({ id, start, end }) => {
        return { id, text: read.slice(start, end), start: positions.at(start), end: positions.at(end) }
      })
      units = parts.at(-1)?.start ?? units
      points = positions.at(units)
    }
  }

  /** The tokens of a text without special ones, a part of the text after the other. */
  *parts(text: string): Generator<TextPart[]> {
    for (const { from, to, place } of this.slices.forward(text, sliceLength))
      yield [...this.reader.parts(wellFormed(text.slice(from, to)), place, from)]
  }

  detokenize(ids: readonly number[]): string {
    const names = ids.map((id) => this.names[id])
    return this.detokenization.textOf(names.filter((name) => !(name?.isText && name.text === '')))
  }

  private *encodePair(text: string, pair: string, options: EncodeOptions): Steps<Encoding> {
    const frame = this.frames.pair
    const room = this.roomIn(frame)
    const first = yield* this.read(text, room, options.truncate)
    const second = yield* this.read(pair, room, options.truncate)
    const length = first.ids.length + second.ids.length
    if (length > room && !options.truncate) throw this.tooLong(length + frame.size, first.isWhole && second.isWhole)
    const lengths = pairLengths(first.ids.length, second.ids.length, room, options.keepFirst)
    return frame.around(
      cut(first.ids, lengths.first, options.truncate),
      cut(second.ids, lengths.second, options.truncate),
    )
  }

  private idsOf(text: string): number[] {
    return [...this.parts(text)].flat().map(({ id }) => id)
  }

  private roomIn(frame: Frame): number {
    return Math.max(0, this.limit - frame.size)
  }

  /** The whole text, or so much of the beginning (`left`: of the end) as has more tokens than there is room for. */
  private *read(text: string, room: number, truncate: Side = 'right'): Steps<Reading> {
    const length = Math.min(sliceLength, Math.max(shortestSlice, room * unitsPerToken))
    const slices = truncate === 'right' ? this.slices.forward(text, length) : this.slices.backward(text, length)
    const readings: number[][] = []
    let count = 0
    for (const { from, to, place } of slices) {
      if (readings.length > 0) yield
      const parts = this.reader.parts(wellFormed(text.slice(from, to)), place, from)
      const ids = Array.from(parts, ({ id }) => id)
      if (truncate === 'right') readings.push(ids)
      else readings.unshift(ids)
      count += ids.length
      if (count > room) return { ids: readings.flat(), isWhole: truncate === 'right' ? place.last : place.first }
    }
    return { ids: readings.flat(), isWhole: true }
  }

  private tooLong(tokens: number, isExact: boolean) {
    return failure('context_exceeded', { tokens, limit: this.limit, ...(isExact ? {} : { atLeast: true }) })
  }
}

const cut = (ids: readonly number[], room: number, truncate: Side = 'right'): readonly number[] => {
  if (ids.length <= room) return ids
  return truncate === 'right' ? ids.slice(0, room) : ids.slice(ids.length - room)
}

/** By id. Special tokens are no text, except for the unknown token, which is U+FFFD. */
const namesOf = ({ steps, added }: TokenizerDefinition): (NamedToken | undefined)[] => {
  const { model } = steps
  const names = model.vocab.map((token): NamedToken | undefined => ({ text: shown(token), isText: false }))
  for (const { id, content, special } of added) names[id] = { text: special ? '' : content, isText: true }
  if (model.unk_token_id !== undefined) names[model.unk_token_id] = { text: '\ufffd', isText: true }
  return names
}

/** Code points before a UTF-16 unit, counted on from a place before it. */
class CodePoints {
  private readonly known = new Map<number, number>()

  constructor(
    private readonly text: string,
    private unit: number,
    private point: number,
  ) {
    this.known.set(unit, point)
  }

  at(unit: number): number {
    const known = this.known.get(unit)
    if (known !== undefined) return known
    while (this.unit < unit) {
      this.unit += (this.text.codePointAt(this.unit) ?? 0) > 0xffff ? 2 : 1
      this.point += 1
      this.known.set(this.unit, this.point)
    }
    return this.point
  }
}
