import type { ScoredPiece } from './sentence-piece.js'

/** How much less an unknown character scores than the least probable piece. */
const unknownPenalty = 10

/** Segments texts into the most probable pieces, like SentencePiece's unigram models. */
export class Unigram {
  private readonly scores: ReadonlyMap<string, number>
  private readonly maxLength: number
  private readonly unknown: number

  constructor(pieces: readonly ScoredPiece[]) {
    this.scores = new Map(pieces.map(({ piece, score }) => [piece, score]))
    this.maxLength = pieces.reduce((max, { piece }) => Math.max(max, piece.length), 1)
    this.unknown = pieces.reduce((min, { score }) => Math.min(min, score), 0) - unknownPenalty
  }

  /** @returns the pieces, which joined are the text; consecutive unknown characters are one piece */
  segment(text: string): string[] {
    const best = new Float64Array(text.length + 1).fill(-Infinity)
    const from = new Int32Array(text.length + 1)
    best[0] = 0
    for (let start = 0; start < text.length; start++) {
      const score = best[start] ?? -Infinity
      if (score === -Infinity) continue
      const character = (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1
      for (let size = 1; size <= this.maxLength && start + size <= text.length; size++) {
        const known = this.scores.get(text.slice(start, start + size))
        const piece = known ?? (size === character ? this.unknown : undefined)
        if (piece === undefined || score + piece <= (best[start + size] ?? 0)) continue
        best[start + size] = score + piece
        from[start + size] = start
      }
    }
    return this.backtrack(text, from)
  }

  private backtrack(text: string, from: Int32Array): string[] {
    const pieces: string[] = []
    for (let end = text.length; end > 0; end = from[end] ?? 0) pieces.push(text.slice(from[end], end))
    const merged: string[] = []
    let wasKnown = true
    for (const piece of pieces.reverse()) {
      const isKnown = this.scores.has(piece)
      if (isKnown || wasKnown) merged.push(piece)
      else merged.push((merged.pop() ?? '') + piece)
      wasKnown = isKnown
    }
    return merged
  }
}
