import { readFile } from 'node:fs/promises'
import type { Pacer } from '@sallyport/kit/async'

/** A word or punctuation mark of a text with the ids of its subwords. The span is in UTF-16 code units. */
export interface TokenizedWord {
  readonly ids: readonly number[]
  readonly start: number
  readonly end: number
}

const cjk = '\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2fa1f}'
const punctuation = '\\p{P}$+<=>^`|~'
const tokenPattern = new RegExp(`[${punctuation}${cjk}]|[^\\s${punctuation}${cjk}]+`, 'gu')
const ascii = /^[\x20-\x7e]*$/
const ignored = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Mn}\ufffd]/gu
/** The maximum length of a word in characters; longer ones are unknown. */
const maxWordLength = 100

interface Subword {
  readonly id: number
  /** The number of characters of the word that it covers. */
  readonly length: number
}

/** The uncased WordPiece tokenizer of BERT: it takes the longest subword in the vocabulary, again and again. */
export class WordPieceTokenizer {
  private readonly maxSubwordLength: number
  private readonly unknownId: number
  /** Subwords that continue a word. */
  private readonly inner = new Map<string, number>()

  constructor(private readonly vocabulary: ReadonlyMap<string, number>) {
    this.unknownId = vocabulary.get('[UNK]') ?? 0
    this.maxSubwordLength = [...vocabulary.keys()].reduce((longest, { length }) => Math.max(longest, length), 1)
    for (const [subword, id] of vocabulary) if (subword.startsWith('##')) this.inner.set(subword.slice(2), id)
  }

  /** @param file a tokenizer.json with a model of this kind */
  static async load(file: URL): Promise<WordPieceTokenizer> {
    const { model } = JSON.parse(await readFile(file, 'utf8')) as { model: { vocab: Record<string, number> } }
    return new WordPieceTokenizer(new Map(Object.entries(model.vocab)))
  }

  async tokenize(text: string, pacer: Pacer): Promise<TokenizedWord[]> {
    const words: TokenizedWord[] = []
    for (const { 0: word, index } of text.matchAll(tokenPattern)) {
      const ids = this.idsOfWord(word)
      if (ids.length > 0) words.push({ ids, start: index, end: index + word.length })
      if (words.length % 256 === 0) await pacer.pause()
    }
    return words
  }

  idsOfText(text: string): number[] {
    return [...text.matchAll(tokenPattern)].flatMap(([each]) => this.idsOfWord(each))
  }

  /** The lengths of the subwords of an ASCII word, in characters; empty for an unknown word. */
  subwordLengths(word: string): number[] {
    return this.subwordsOf(word.toLowerCase())?.map(({ length }) => length) ?? []
  }

  private idsOfWord(word: string): number[] {
    const plain = ascii.test(word) ? word.toLowerCase() : unaccented(word)
    if (plain === '') return []
    const whole = this.vocabulary.get(plain)
    if (whole !== undefined) return [whole]
    return this.subwordsOf(ascii.test(plain) ? plain : Array.from(plain))?.map(({ id }) => id) ?? [this.unknownId]
  }

  /** Undefined for an unknown word. */
  private subwordsOf(characters: string | readonly string[]): Subword[] | undefined {
    if (characters.length > maxWordLength) return undefined
    const subwords: Subword[] = []
    for (let from = 0; from < characters.length;) {
      const subword = this.subwordAt(characters, from)
      if (!subword) return undefined
      subwords.push(subword)
      from += subword.length
    }
    return subwords
  }

  private subwordAt(characters: string | readonly string[], from: number): Subword | undefined {
    const subwords = from > 0 ? this.inner : this.vocabulary
    for (let length = Math.min(characters.length - from, this.maxSubwordLength); length > 0; length -= 1) {
      const part = characters.slice(from, from + length)
      const id = subwords.get(typeof part === 'string' ? part : part.join(''))
      if (id !== undefined) return { id, length }
    }
    return undefined
  }
}

const unaccented = (word: string): string => word.normalize('NFD').replace(ignored, '').toLowerCase()
