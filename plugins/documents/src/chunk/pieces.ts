import { contentsOf } from '@sallyport/core'
import type { ExtractionRequest } from '@sallyport/core'
import { append } from '@sallyport/kit/lists'
import { countCodePoints } from '@sallyport/kit/text'
import { separatorText } from '../write/marks.js'
import type { Piece } from '../write/marks.js'

/** The pieces of the contents, taken in their order and cut where a chunk ends. */
export class Pieces {
  /** Code points of the contents that were taken. */
  private taken = 0
  private next = 0
  /** What is left of a piece that was cut. */
  private rest: Piece | undefined

  constructor(
    private readonly pieces: readonly Piece[],
    private readonly format: ExtractionRequest['format'],
  ) {}

  /** @param end in code points of the contents */
  upTo(end: number): Piece[] {
    const chunk: Piece[] = []
    while (this.taken < end) {
      const piece = this.rest ?? this.pieces[this.next]
      if (!piece) break
      const cut = cutPiece(piece, end - this.taken, this.format)
      append(chunk, cut.parts)
      this.taken += cut.length
      this.rest = cut.rest
      if (!cut.rest) this.next += 1
    }
    return joined(chunk)
  }

  remaining(): Piece[] {
    return joined([...(this.rest ? [this.rest] : []), ...this.pieces.slice(this.next + (this.rest ? 1 : 0))])
  }
}

interface CutPiece {
  readonly parts: readonly Piece[]
  /** Code points of the parts as they are written. */
  readonly length: number
  /** Undefined where the parts are the whole piece. */
  readonly rest: Piece | undefined
}

/** Cuts a piece after at most `max` code points as it is written. An escape is cut, too: its halves become mark-up. */
const cutPiece = (piece: Piece, max: number, format: ExtractionRequest['format']): CutPiece => {
  if (lengthOf(piece) <= max) {
    const written = contentsOf(piece, format)
    if (written.length <= max) return { parts: [piece], length: countCodePoints(written), rest: undefined }
  }
  let length = 0
  for (const kind of ['markup', 'text', 'attribute'] as const) {
    const value = piece[kind] ?? ''
    const end = kind === 'text' && value.endsWith(separatorText) ? value.length - separatorText.length : value.length
    for (let at = 0; at < end;) {
      const character = String.fromCodePoint(value.codePointAt(at) ?? 0)
      const written = kind === 'markup' ? character : contentsOf({ text: character }, format)
      const room = max - length
      if (room === 0) {
        const [before, after] = divided(piece, kind, at, at)
        return { parts: [before], length, rest: after }
      }
      if (countCodePoints(written) > room) {
        const [before, after] = divided(piece, kind, at, at + character.length)
        const halves = [
          { markup: written.slice(0, room), text: '' },
          { markup: written.slice(room), text: '' },
        ] as const
        return { parts: [before, halves[0]], length: max, rest: withMarkup(halves[1].markup, after) }
      }
      length += countCodePoints(written)
      at += character.length
    }
  }
  return { parts: [piece], length, rest: undefined }
}

const lengthOf = ({ markup = '', text, attribute = '' }: Piece) => markup.length + text.length + attribute.length

const withMarkup = (markup: string, piece: Piece): Piece => ({ ...piece, markup: markup + (piece.markup ?? '') })

/** The piece up to a position in one of its strings, and from another one on. */
const divided = (piece: Piece, kind: keyof Piece, to: number, from: number): readonly [Piece, Piece] => {
  const value = piece[kind] ?? ''
  const [before, after] = [value.slice(0, to), value.slice(from)]
  const { markup, text, attribute } = piece
  if (kind === 'markup')
    return [
      { markup: before, text: '' },
      { ...piece, markup: after },
    ]
  const first = { ...(markup === undefined ? {} : { markup }), text: kind === 'text' ? before : text }
  if (kind === 'text') return [first, { text: after, ...(attribute === undefined ? {} : { attribute }) }]
  return [
    { ...first, attribute: before },
    { text: '', attribute: after },
  ]
}

/** Pieces without mark-up between them as one. */
const joined = (pieces: readonly Piece[]): Piece[] => {
  const result: Piece[] = []
  for (const piece of pieces) {
    const last = result.at(-1)
    const follows = last && !piece.markup && last.attribute === undefined && !last.text.endsWith(separatorText)
    if (follows) result[result.length - 1] = { ...last, ...piece, text: last.text + piece.text }
    else result.push(piece)
  }
  return result
}
