import { createHash } from 'node:crypto'
import { Slots } from '../async/slots.js'
import { untilAborted } from '../async/until-aborted.js'
import type { Call } from '../capabilities/call.js'
import { failure, loggable } from '../errors/index.js'
import { RecentlyUsed } from '../lists/recently-used.js'
import { tooComplex } from './protocol.js'
import type { Job, Problem } from './protocol.js'
import { SchemaThread } from './schema-thread.js'

/** As it crosses to the thread. */
export interface SchemaText {
  /** JSON. */
  readonly schema: string
  readonly hash: string
}

export const schemaText = (schema: unknown): SchemaText => {
  const text = JSON.stringify(schema)
  return { schema: text, hash: createHash('sha256').update(text).digest('base64') }
}

interface Known {
  readonly problem: Problem | undefined
  /** Milliseconds, of the clock of `performance`. */
  readonly until: number
}

/** Jobs that may wait. */
const mostWaiting = 1024
/** Schemas of which it is remembered what is wrong with them, or that nothing is. */
const mostKnown = 1024
/** Milliseconds: what was too complex may only have met with a busy machine. */
const forgiven = 60_000

/** Looks at schemas, and at answers by them, in a thread that is started when it is first needed. One for each kernel. */
export class SchemaChecker {
  private readonly turns = new Slots(1, mostWaiting)
  private readonly known = new RecentlyUsed<Known>(mostKnown)
  private thread: SchemaThread | undefined
  private stopped = false

  /** What is wrong with the schema. @throws overloaded, not_ready, the signal's reason */
  async problemOf(kind: 'inspect' | 'compile', schema: SchemaText, call: Call): Promise<Problem | undefined> {
    const key = `${kind} ${schema.hash}`
    const known = this.known.get(key)
    if (known && known.until > performance.now()) return known.problem
    const problem = await this.done({ kind, ...schema }, call)
    this.remember(key, problem)
    return problem
  }

  /** What is wrong with a text that must be JSON by the schema. @throws overloaded, not_ready, the signal's reason */
  problemOfAnswer(schema: SchemaText, answer: string, call: Call): Promise<Problem | undefined> {
    return this.done({ kind: 'validate', ...schema, answer }, call)
  }

  async stop(): Promise<void> {
    this.stopped = true
    this.turns.close()
    await this.giveUp()
  }

  private done(job: Job, call: Call): Promise<Problem | undefined> {
    return untilAborted(
      this.turns.run(call, () => this.answerTo(job)),
      call.signal,
    )
  }

  private async answerTo(job: Job): Promise<Problem | undefined> {
    const thread = (this.thread ??= new SchemaThread())
    const reply = await thread.ask(job)
    if ('problem' in reply) return reply.problem
    if ('thrown' in reply) throw failure('internal', {}, { cause: reply.thrown })
    if (this.stopped) throw failure('not_ready', { state: 'draining' })
    await this.giveUp()
    if (reply.failure === 'late') return tooComplex
    // Others' schemas may have filled it.
    if (reply.failure === 'out of memory') return thread.done > 0 ? this.answerTo(job) : tooComplex
    const { cause } = reply
    throw failure('internal', {}, { cause: loggable(new Error(`the thread of schemas: ${reply.failure}`, { cause })) })
  }

  private async giveUp(): Promise<void> {
    const { thread } = this
    this.thread = undefined
    await thread?.stop()
  }

  private remember(key: string, problem: Problem | undefined): void {
    this.known.set(key, { problem, until: problem?.kind === 'complexity' ? performance.now() + forgiven : Infinity })
  }
}
