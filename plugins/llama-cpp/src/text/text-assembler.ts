import { StopGate } from '@sallyport/kit/generation'
import type { TokenLogprob } from '@sallyport/core'

/** A piece of text that will not change any more, with the log-probabilities of the tokens that began in it. */
export interface TextPiece {
  readonly text: string
  readonly logprobs: readonly TokenLogprob[]
}

export interface AssembledPiece extends TextPiece {
  /** The stop text that was found; nothing comes after this piece. */
  readonly stopText?: string
}

/**
 * Makes text of the bytes of tokens. Holds back characters whose bytes have not all come, and text that may turn out
 * to be the beginning of a stop text.
 */
export class TextAssembler {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  private readonly gate: StopGate
  /** Characters released so far. */
  private released = 0
  private waiting: { readonly start: number; readonly logprob: TokenLogprob }[] = []

  constructor(stop: readonly string[]) {
    this.gate = new StopGate(stop)
  }

  /** Adds a token's bytes; returns what may be shown now, possibly nothing. */
  push(bytes: Uint8Array, logprob?: TokenLogprob): AssembledPiece {
    if (logprob) this.waiting.push({ start: this.released + this.gate.heldLength, logprob })
    const piece = this.piece(this.gate.push(this.decoder.decode(bytes, { stream: true })))
    const { stopText } = this.gate
    return stopText === undefined ? piece : { ...piece, stopText }
  }

  /** What was held back, when no more tokens come. Bytes of an incomplete character are left out. */
  end(): TextPiece {
    return this.piece(this.gate.flush())
  }

  private piece(text: string): TextPiece {
    this.released += text.length
    const logprobs = this.waiting.filter(({ start }) => start < this.released).map(({ logprob }) => logprob)
    if (logprobs.length > 0) this.waiting = this.waiting.filter(({ start }) => start >= this.released)
    return { text, logprobs }
  }
}
