import type { TokenLogprob } from '@sallyport/core'

/** Log-probabilities of the tokens of a text, handed out stretch by stretch. */
export class TokenTrail {
  private readonly waiting: TokenLogprob[] = []
  /** Bytes that the next token lies ahead; below 0 where it began before. */
  private ahead = 0

  add(logprobs: readonly TokenLogprob[]): void {
    for (const each of logprobs) this.waiting.push(each)
  }

  /** Those of the tokens that begin in the next stretch of the text. */
  pass(stretch: string): TokenLogprob[] {
    this.ahead -= Buffer.byteLength(stretch)
    let count = 0
    for (; this.ahead < 0 && count < this.waiting.length; count += 1) this.ahead += lengthOf(this.waiting[count])
    return this.waiting.splice(0, count)
  }
}

const lengthOf = (token: TokenLogprob | undefined): number => token?.bytes?.length ?? 0
