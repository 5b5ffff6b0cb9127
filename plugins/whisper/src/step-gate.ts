import { FairQueue, Shares } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'

/**
 * Runs a step of a recording's work when its turn has come.
 * @throws the signal's reason when aborted; what the step throws
 */
export type Step = <Value>(run: () => Value | Promise<Value>) => Promise<Value>

/** What a step belongs to: writing down a window of speech, or finding where somebody speaks, and who. */
type Work = 'window' | 'search'

/** Milliseconds that a tenant may be behind others and still catch up: others take some steps while its file is read. */
const maxSaved = 100

/**
 * Steps of a line that has long been alone run side by side, as a turn of the event loop for each of their frames took 5 %
 * more processor time. It is alone after so many choices in a row: another one is away for a few while it reads its file.
 */
const [together, choicesAlone] = [4, 32]

interface Waiter {
  readonly line: string
  readonly begin: () => void
}

/**
 * Hands out the event loop, which every evaluation of a network holds, a step at a time. Steps take a few milliseconds or
 * some hundred, so time is shared and not turns: the next step is that of the work that has used the least, each tenant's
 * windows and each tenant's searches by themselves. A window that others wait for is thus not held up by many searches.
 */
export class StepGate {
  private readonly waiting = new FairQueue<Waiter>()
  private readonly shares = new Shares(maxSaved)
  private running = 0
  /** Who is next is about to be chosen. */
  private choosing = false
  /** Choices since steps of two lines waited, or those of another line. */
  private alone = 0
  /** Whose steps run, or ran last, and since when. */
  private line = ''
  private began = 0

  of(work: Work, { signal, tenant }: Requester): Step {
    const line = `${work} ${tenant}`
    return async (run) => {
      await this.turn(line)
      try {
        signal.throwIfAborted()
        return await run()
      } finally {
        this.end()
      }
    }
  }

  private turn(line: string): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(line, { line, begin: resolve })
      this.schedule()
    })
  }

  /** Whose step has just ended asks for the next one before it is chosen; otherwise lines would alternate by steps. */
  private schedule(): void {
    if (this.running || this.choosing || this.waiting.length === 0) return
    this.choosing = true
    setImmediate(this.next)
  }

  private readonly next = () => {
    const lines = new Set(this.waiting.tenants)
    this.shares.setWorking(lines)
    const next = this.waiting.take((line) => this.shares.usedBy(line))
    this.choosing = false
    if (!next) return
    this.alone = lines.size === 1 && next.line === this.line ? this.alone + 1 : 0
    this.line = next.line
    this.began = performance.now()
    const most = this.alone > choicesAlone ? together : 1
    for (let step: Waiter | undefined = next; step; step = this.waiting.take()) {
      this.running += 1
      step.begin()
      if (this.running === most) return
    }
  }

  private end(): void {
    this.running -= 1
    if (this.running) return
    this.shares.add(this.line, performance.now() - this.began)
    this.schedule()
  }
}
