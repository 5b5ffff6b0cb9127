import { Slots } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import type { ApertiumOptions } from './options.js'
import { Pipeline } from './pipeline.js'

/** Additional pipelines, for tenants that have none. */
const reserve = 1

/** The pipelines of all modes, which are kept for the next texts. */
export class PipelinePool {
  private readonly idle: Pipeline[] = []
  private readonly busy = new Set<Pipeline>()
  private readonly slots: Slots
  private closed = false

  constructor(private readonly options: Pick<ApertiumOptions, 'program' | 'pipelines' | 'queue'>) {
    this.slots = new Slots(options.pipelines, options.queue, { reserve })
  }

  /** Runs `work` with a free pipeline of the mode. @throws overloaded, not_ready, the signal's reason */
  use<Value>(mode: string, requester: Requester, work: (pipeline: Pipeline) => Promise<Value>): Promise<Value> {
    return this.slots.run(requester, async () => {
      const pipeline = this.pipelineFor(mode)
      this.busy.add(pipeline)
      try {
        return await work(pipeline)
      } finally {
        this.busy.delete(pipeline)
        if (this.closed) pipeline.end()
        else if (!pipeline.hasEnded) this.idle.push(pipeline)
      }
    })
  }

  /** Ends all pipelines; translations in progress fail. */
  close(): void {
    this.closed = true
    this.slots.close()
    for (const pipeline of [...this.idle.splice(0), ...this.busy]) pipeline.end()
  }

  private pipelineFor(mode: string): Pipeline {
    for (const ended of this.idle.filter(({ hasEnded }) => hasEnded)) this.idle.splice(this.idle.indexOf(ended), 1)
    const place = this.idle.findLastIndex((pipeline) => pipeline.mode === mode)
    const [idle] = place < 0 ? [] : this.idle.splice(place, 1)
    if (idle) return idle
    // The pipeline that has been idle for longest makes room.
    if (this.idle.length + this.busy.size >= this.options.pipelines) this.idle.shift()?.end()
    return new Pipeline(this.options.program, mode)
  }
}
