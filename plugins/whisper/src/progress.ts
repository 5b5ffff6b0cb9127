import { sampleRate } from './model/engine.js'

/** Minutes of sound between two lines of the log. */
const every = 5

/** Tells how far a recording has been worked through, now and then. */
export class Progress {
  private told = 0

  constructor(private readonly tell: (minutes: number) => void) {}

  /** @param seconds from the beginning of the recording */
  at(seconds: number): void {
    const minutes = Math.floor(seconds / 60)
    if (minutes < this.told + every) return
    this.told = minutes
    this.tell(minutes)
  }

  /** The same samples, told of as they go by. */
  async *counted(blocks: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
    let count = 0
    for await (const samples of blocks) {
      yield samples
      count += samples.length
      this.at(count / sampleRate)
    }
  }
}
