import type { Steps } from '@sallyport/kit/async'
import { startsAsJson } from '../output/segmenter.js'
import { inSteps, Restorer, restoreText } from './restorer.js'
import type { Piece, RestoreContext } from './restorer.js'

/** In UTF-16 code units. Longer JSON is restored like other text, since it may not be held. */
const maxJson = 4 * 1024 * 1024

/** A text of a stream, restored. JSON is held until its end, so that it stays valid. */
export class RestoredText {
  /** Number of UTF-16 code units that may be released. */
  passedLength = 0
  private length = 0
  private readonly pieces: Piece[] = []
  private readonly restorer: Restorer
  /** The beginning of what may be JSON; undefined for other text. */
  private held: string | undefined
  /** Undefined until that is known. */
  private isJson: boolean | undefined

  constructor(private readonly context: RestoreContext) {
    this.restorer = new Restorer(context)
    if (!context.keepsAll) this.held = ''
  }

  /** Adds text, in steps. @returns its span */
  *push(text: string): Steps<{ readonly from: number; readonly to: number }> {
    const from = this.length
    this.length += text.length
    if (this.held === undefined) yield* this.restore(text)
    else {
      this.held += text
      this.isJson ??= startsAsJson(this.held)
      if (this.isJson === false || this.held.length > maxJson) {
        const { held } = this
        this.held = undefined
        yield* this.restore(held)
      }
    }
    return { from, to: this.length }
  }

  /** Another text goes on in its place: what is not held as JSON may be released. */
  flush(): void {
    if (this.held === undefined) this.add(this.restorer.flush())
  }

  /** Restores what is held, in steps. */
  *end(): Steps<void> {
    if (this.held !== undefined) {
      const { held: text } = this
      this.held = undefined
      const restored = yield* restoreText(text, this.context)
      this.add([{ start: 0, end: text.length, text: restored, isRestored: restored !== text }])
    }
    this.flush()
  }

  /** Takes out a part that has passed; a restored text leaves with the part in which it begins. */
  release(from: number, to: number): { readonly text: string; readonly replaced: boolean } {
    let [text, replaced] = ['', false]
    for (let piece = this.pieces[0]; piece && piece.start < to; piece = this.pieces[0]) {
      const isWhole = piece.end <= to
      if (piece.isRestored) {
        if (piece.start >= from) text += piece.text
        replaced = true
      } else text += piece.text.slice(Math.max(0, from - piece.start), to - piece.start)
      if (!isWhole) break
      this.pieces.shift()
    }
    return { text, replaced }
  }

  private *restore(text: string): Steps<void> {
    for (const slice of inSteps(text)) {
      this.add(this.restorer.push(slice))
      yield
    }
  }

  private add(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      this.pieces.push(piece)
      this.passedLength = piece.end
    }
  }
}
