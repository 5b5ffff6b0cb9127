import { AddedTokens } from './added-tokens.js'
import { AlignedText } from './aligned-text.js'
import type { TokenizerDefinition } from './definition.js'
import { Normalization } from './normalization.js'
import type { Place } from './place.js'
import { PreTokenization } from './pre-tokenization.js'
import { WordPieces } from './word-pieces.js'

/** A token, and the half-open span of the text that it stands for, in UTF-16 units. */
export interface TextPart {
  readonly id: number
  readonly start: number
  readonly end: number
  /** The token begins a word: no token of another word depends on it. */
  readonly beginsWord: boolean
}

/** Words of a text as the vocabulary has them, or an added token. */
type Word = AlignedText | { readonly token: number; readonly start: number; readonly end: number }

/**
 * The way from a text to tokens, in the steps of tokenizer.json: added tokens are cut out, the rest is normalised, cut
 * into words, and each word into tokens. The text of a special token is text.
 */
export class TextReader {
  private readonly asWritten: AddedTokens
  private readonly asNormalised: AddedTokens
  private readonly normalization: Normalization
  private readonly preTokenization: PreTokenization
  private readonly wordPieces: WordPieces

  constructor({ steps, added, wordStarts }: TokenizerDefinition) {
    const { normalizer, model } = steps
    const found = added.filter(({ special }) => !special)
    const normalised = found.filter((token) => token.normalized && normalizer)
    const written = found.filter((token) => !normalised.includes(token))
    this.asWritten = new AddedTokens(new Map(written.map((token) => [token.content, token])))
    this.asNormalised = new AddedTokens(
      new Map(normalised.map((token) => [normalizer?.normalize(token.content) ?? '', token])),
    )
    this.normalization = new Normalization(normalizer)
    this.preTokenization = new PreTokenization(steps.pre_tokenizer, wordStarts)
    this.wordPieces = new WordPieces(model)
  }

  /** @param from where the part of the text stands in the whole, which the spans count in */
  *parts(text: string, place: Place, from = 0): Generator<TextPart> {
    for (const word of this.words(text, place, from)) {
      if (!(word instanceof AlignedText)) yield { id: word.token, start: word.start, end: word.end, beginsWord: true }
      else {
        for (const [index, part] of this.wordPieces.split(word.text).entries()) {
          const [start, end] = word.span(part.from, part.to)
          yield { id: part.id, start, end, beginsWord: index === 0 }
        }
      }
    }
  }

  *words(text: string, place: Place, from = 0): Generator<Word> {
    const original = AlignedText.original(text, from)
    for (const [index, section] of this.asWritten.split(text).entries()) {
      const here = index === 0 ? place : { ...place, first: false }
      if (section.token) yield { token: section.token.id, start: from + section.from, end: from + section.to }
      else yield* this.wordsOf(this.normalization.apply(original.slice(section.from, section.to), here), here)
    }
  }

  private *wordsOf(text: AlignedText, place: Place): Generator<Word> {
    for (const section of this.asNormalised.split(text.text)) {
      const [start, end] = text.span(section.from, section.to)
      if (section.token) yield { token: section.token.id, start, end }
      else yield* this.preTokenization.apply(text.slice(section.from, section.to), place)
    }
  }
}
