import { Pipeline } from './pipeline.js'

/** Pipelines that are kept for the next text; of all modes together no more than a number. */
export class PipelinePool {
  private readonly idle: Pipeline[] = []
  private readonly waiting: (() => void)[] = []
  private busy = 0

  constructor(
    private readonly program: string,
    private readonly most: number,
  ) {}

  /** In the order of arrival, in whichever pipeline is free. @throws as the pipeline does */
  async translate(mode: string, units: readonly string[], signal: AbortSignal): Promise<string[]> {
    await this.turn(signal)
    try {
      const pipeline = this.pipelineFor(mode)
      const translations = await pipeline.translate(units, signal)
      this.idle.push(pipeline)
      return translations
    } finally {
      this.busy -= 1
      this.waiting.shift()?.()
    }
  }

  end(): void {
    for (const pipeline of this.idle.splice(0)) pipeline.end()
  }

  /** @throws the signal's reason */
  private async turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    while (this.busy >= this.most)
      await new Promise<void>((resolve, reject) => {
        const proceed = () => {
          signal.removeEventListener('abort', giveUp)
          resolve()
        }
        const giveUp = () => {
          this.waiting.splice(this.waiting.indexOf(proceed), 1)
          reject(signal.reason as Error)
        }
        signal.addEventListener('abort', giveUp, { once: true })
        this.waiting.push(proceed)
      })
    this.busy += 1
  }

  private pipelineFor(mode: string): Pipeline {
    for (const ended of this.idle.filter(({ hasEnded }) => hasEnded)) this.idle.splice(this.idle.indexOf(ended), 1)
    const place = this.idle.findLastIndex((pipeline) => pipeline.mode === mode)
    const [found] = place < 0 ? [] : this.idle.splice(place, 1)
    if (found) return found
    // the one that has waited longest makes room
    if (this.idle.length + this.busy > this.most) this.idle.shift()?.end()
    return new Pipeline(this.program, mode)
  }
}
