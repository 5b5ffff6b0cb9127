import { FairQueue, Shares } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'

/** Runs a step when the scheduler admits it. @throws the signal's reason when aborted; any error of the step */
export type RunStep = <Value>(run: () => Value | Promise<Value>) => Promise<Value>

/** The work of a step: transcribing a window, or searching for speech and speakers. */
type Work = 'window' | 'search'

/** Milliseconds of unused share that a queue may save up while its file is read and others take steps. */
const maxCredit = 100

/**
 * A queue that has been alone for 32 choices runs up to four steps side by side, because a turn of the event loop for
 * each took 5 % more processor time. Fewer choices do not count: others may be absent while they read their files.
 */
const [maxParallel, minChoicesAlone] = [4, 32]

interface Waiter {
  readonly queueKey: string
  readonly begin: () => void
}

/**
 * Schedules steps, which block the event loop while they run a network. They take from a few to some hundred
 * milliseconds, so queues share the time and not the turns: the next step comes from the queue that has used least.
 * Each tenant's windows and each tenant's searches are queues of their own, so that many searches do not hold up a
 * window.
 */
export class StepScheduler {
  private readonly waiting = new FairQueue<Waiter>()
  private readonly shares = new Shares(maxCredit)
  private running = 0
  /** Whether the next choice is scheduled. */
  private choosing = false
  /** Choices in a row in which only the queue of `queueKey` had steps. */
  private alone = 0
  /** The key of the queue whose steps run or ran last, and the time when they began. */
  private queueKey = ''
  private began = 0

  runnerFor(work: Work, { signal, tenant }: Requester): RunStep {
    const queueKey = `${work} ${tenant}`
    return async (run) => {
      await this.turn(queueKey)
      try {
        signal.throwIfAborted()
        return await run()
      } finally {
        this.end()
      }
    }
  }

  private turn(queueKey: string): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(queueKey, { queueKey, begin: resolve })
      this.schedule()
    })
  }

  /** Chooses later, so that the queue whose step has just ended can ask for its next; else queues would alternate. */
  private schedule(): void {
    if (this.running || this.choosing || this.waiting.length === 0) return
    this.choosing = true
    setImmediate(this.next)
  }

  private readonly next = () => {
    const queues = new Set(this.waiting.tenants)
    this.shares.setActive(queues)
    const next = this.waiting.take((queue) => this.shares.usedBy(queue))
    this.choosing = false
    if (!next) return
    this.alone = queues.size === 1 && next.queueKey === this.queueKey ? this.alone + 1 : 0
    this.queueKey = next.queueKey
    this.began = performance.now()
    const max = this.alone > minChoicesAlone ? maxParallel : 1
    for (let step: Waiter | undefined = next; step; step = this.waiting.take()) {
      this.running += 1
      step.begin()
      if (this.running === max) return
    }
  }

  private end(): void {
    this.running -= 1
    if (this.running) return
    this.shares.add(this.queueKey, performance.now() - this.began)
    this.schedule()
  }
}
