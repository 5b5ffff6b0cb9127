import { StopGate } from '@sallyport/kit/generation'
import type { TokenLogprob } from '@sallyport/core'

/** A chunk of text that will not change any more, with the log-probabilities of the tokens that began in it. */
export interface TextChunk {
  readonly text: string
  readonly logprobs: readonly TokenLogprob[]
}

export interface AssembledChunk extends TextChunk {
  /** The stop sequence that was found; nothing comes after this chunk. */
  readonly stopSequence?: string
}

/** Decodes the bytes of tokens. Incomplete characters, and what may be the beginning of a stop text, are held back. */
export class TextAssembler {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  private readonly gate: StopGate
  /** Characters released so far. */
  private released = 0
  private waiting: { readonly start: number; readonly logprob: TokenLogprob }[] = []

  constructor(stop: readonly string[]) {
    this.gate = new StopGate(stop)
  }

  /** Adds a token's bytes. Returns the text that may leave now, possibly none. */
  push(bytes: Uint8Array, logprob?: TokenLogprob): AssembledChunk {
    if (logprob) this.waiting.push({ start: this.released + this.gate.pendingLength, logprob })
    const chunk = this.chunk(this.gate.push(this.decoder.decode(bytes, { stream: true })))
    const { stopSequence } = this.gate
    return stopSequence === undefined ? chunk : { ...chunk, stopSequence }
  }

  /** Returns the text that was held back, when no more tokens come. Bytes of an incomplete character are dropped. */
  end(): TextChunk {
    return this.chunk(this.gate.flush())
  }

  private chunk(text: string): TextChunk {
    this.released += text.length
    const logprobs = this.waiting.filter(({ start }) => start < this.released).map(({ logprob }) => logprob)
    if (logprobs.length > 0) this.waiting = this.waiting.filter(({ start }) => start >= this.released)
    return { text, logprobs }
  }
}
