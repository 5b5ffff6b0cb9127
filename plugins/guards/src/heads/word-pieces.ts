import { readFile } from 'node:fs/promises'
import type { Pacer } from '@sallyport/kit/async'

/** A word of a text, or a sign, in pieces of a vocabulary. The span is in UTF-16 units. */
export interface Pieces {
  readonly ids: readonly number[]
  readonly start: number
  readonly end: number
}

const cjk = '\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2fa1f}'
const signs = '\\p{P}$+<=>^`|~'
const part = new RegExp(`[${signs}${cjk}]|[^\\s${signs}${cjk}]+`, 'gu')
const ascii = /^[\x20-\x7e]*$/
const ignored = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Mn}\ufffd]/gu
/** Characters of a word that has pieces; a longer one is unknown. */
const longestWord = 100

interface Piece {
  readonly id: number
  /** Characters of the word. */
  readonly length: number
}

/** BERT's way to cut words (uncased): of what is left of a word, the longest piece that the vocabulary has. */
export class WordPieces {
  private readonly maxPiece: number
  private readonly unknown: number
  /** Pieces that go on with a word. */
  private readonly inner = new Map<string, number>()

  constructor(private readonly vocabulary: ReadonlyMap<string, number>) {
    this.unknown = vocabulary.get('[UNK]') ?? 0
    this.maxPiece = [...vocabulary.keys()].reduce((longest, { length }) => Math.max(longest, length), 1)
    for (const [piece, id] of vocabulary) if (piece.startsWith('##')) this.inner.set(piece.slice(2), id)
  }

  /** @param file a tokenizer.json with a model of this kind */
  static async load(file: URL): Promise<WordPieces> {
    const { model } = JSON.parse(await readFile(file, 'utf8')) as { model: { vocab: Record<string, number> } }
    return new WordPieces(new Map(Object.entries(model.vocab)))
  }

  async cut(text: string, pacer: Pacer): Promise<Pieces[]> {
    const pieces: Pieces[] = []
    for (const { 0: word, index } of text.matchAll(part)) {
      const ids = this.idsOf(word)
      if (ids.length > 0) pieces.push({ ids, start: index, end: index + word.length })
      if (pieces.length % 256 === 0) await pacer.pause()
    }
    return pieces
  }

  /** The ids of one word, with those of the signs in it. */
  ids(word: string): number[] {
    return [...word.matchAll(part)].flatMap(([each]) => this.idsOf(each))
  }

  /** Characters of each piece of a row of letters and digits of ASCII; none where it is unknown. */
  lengths(word: string): number[] {
    return this.piecesOf(word.toLowerCase())?.map(({ length }) => length) ?? []
  }

  private idsOf(word: string): number[] {
    const plain = ascii.test(word) ? word.toLowerCase() : unaccented(word)
    if (plain === '') return []
    const whole = this.vocabulary.get(plain)
    if (whole !== undefined) return [whole]
    return this.piecesOf(ascii.test(plain) ? plain : Array.from(plain))?.map(({ id }) => id) ?? [this.unknown]
  }

  /** Undefined where the word is unknown. */
  private piecesOf(characters: string | readonly string[]): Piece[] | undefined {
    if (characters.length > longestWord) return undefined
    const pieces: Piece[] = []
    for (let from = 0; from < characters.length;) {
      const piece = this.pieceAt(characters, from)
      if (!piece) return undefined
      pieces.push(piece)
      from += piece.length
    }
    return pieces
  }

  private pieceAt(characters: string | readonly string[], from: number): Piece | undefined {
    const known = from > 0 ? this.inner : this.vocabulary
    for (let length = Math.min(characters.length - from, this.maxPiece); length > 0; length -= 1) {
      const part = characters.slice(from, from + length)
      const id = known.get(typeof part === 'string' ? part : part.join(''))
      if (id !== undefined) return { id, length }
    }
    return undefined
  }
}

const unaccented = (word: string): string => word.normalize('NFD').replace(ignored, '').toLowerCase()
