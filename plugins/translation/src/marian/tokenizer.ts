import { readFile } from 'node:fs/promises'
import { isRecord } from '@sallyport/kit/json'
import { invalidModel, readJson } from './files.js'
import { readSentencePieces } from './sentence-piece.js'
import type { ScoredPiece } from './sentence-piece.js'
import { Unigram } from './unigram.js'

const space = '▁'

/** Maps the pieces of the source's tokenizer to the ids of the vocabulary. */
export class MarianTokenizer {
  private readonly unigram: Unigram
  private readonly vocabulary: (string | undefined)[] = []

  /** @param ids by piece */
  constructor(
    pieces: readonly ScoredPiece[],
    private readonly ids: ReadonlyMap<string, number>,
    private readonly unknownId: number,
  ) {
    this.unigram = new Unigram(pieces)
    for (const [piece, id] of ids) this.vocabulary[id] = piece
  }

  /** The tokens that select a target language, such as `>>deu<<`. */
  get languageTokens(): string[] {
    return [...this.ids.keys()].filter((piece) => /^>>.+<<$/.test(piece))
  }

  /** The ids of a text, without special tokens. */
  encode(text: string): number[] {
    const normal = text
      .normalize('NFKC')
      .replace(/\p{Cc}/gu, ' ')
      .replace(/\s+/gu, ' ')
      .trim()
    if (normal === '') return []
    return this.unigram
      .segment(space + normal.replaceAll(' ', space))
      .map((piece) => this.ids.get(piece) ?? this.unknownId)
  }

  /** @throws model_invalid for a token that is not in the vocabulary */
  idOf(model: string, token: string): number {
    const id = this.ids.get(token)
    if (id !== undefined) return id
    throw invalidModel(model, `its vocabulary has no token "${token.slice(0, 40)}"`)
  }

  decode(ids: readonly number[]): string {
    const pieces = ids.map((id) => (id === this.unknownId ? '' : (this.vocabulary[id] ?? '')))
    return pieces
      .filter((piece) => !/^(?:<\/?s>|<pad>|>>.+<<)$/.test(piece))
      .join('')
      .replaceAll(space, ' ')
      .trim()
  }
}

/**
 * Reads the pieces of source.spm and the ids of vocab.json, as in training. Where one of them is missing, it reads
 * tokenizer.json, which has the pieces of both languages.
 * @throws model_invalid
 */
export const loadTokenizer = async (
  model: string,
  files: Readonly<Record<string, string>>,
): Promise<MarianTokenizer> => {
  const { 'source.spm': pieces, 'vocab.json': vocabulary, 'tokenizer.json': both } = files
  if (pieces !== undefined && vocabulary !== undefined) {
    const ids = idsOf(await readJson(model, vocabulary, 'vocab.json'))
    const unknown = ids?.get('<unk>')
    if (!ids || unknown === undefined) throw invalidModel(model, 'its vocab.json is not that of a Marian model')
    return new MarianTokenizer(readSentencePieces(model, await readFile(pieces)), ids, unknown)
  }
  if (both !== undefined) return fromJson(model, await readJson(model, both, 'tokenizer.json'))
  throw invalidModel(model, 'put its source.spm and vocab.json, or its tokenizer.json, beside its config.json')
}

const idsOf = (vocabulary: unknown): Map<string, number> | undefined => {
  if (!isRecord(vocabulary)) return undefined
  const entries = Object.entries(vocabulary).filter(
    (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0,
  )
  return entries.length === 0 ? undefined : new Map(entries)
}

const fromJson = (model: string, definition: unknown): MarianTokenizer => {
  const unigram = isRecord(definition) ? definition['model'] : undefined
  const vocabulary: unknown = isRecord(unigram) ? unigram['vocab'] : undefined
  if (!isRecord(unigram) || unigram['type'] !== 'Unigram' || !Array.isArray(vocabulary))
    throw invalidModel(model, 'its tokenizer.json has no unigram model')
  const ids = new Map<string, number>()
  const pieces: ScoredPiece[] = []
  for (const [id, entry] of (vocabulary as unknown[]).entries()) {
    const [piece, score] = Array.isArray(entry) ? (entry as unknown[]) : []
    if (typeof piece !== 'string' || typeof score !== 'number') continue
    ids.set(piece, id)
    if (!/^(?:<\/?s>|<unk>|<pad>|>>.+<<)$/.test(piece)) pieces.push({ piece, score })
  }
  const unknown = typeof unigram['unk_id'] === 'number' ? unigram['unk_id'] : ids.get('<unk>')
  if (unknown === undefined || pieces.length === 0)
    throw invalidModel(model, 'its tokenizer.json has no pieces or <unk>')
  return new MarianTokenizer(pieces, ids, unknown)
}
