import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { processTime } from './process-time.js'
import type { RenderReply, RenderSetup, TemplateVariables } from './render-protocol.js'

export type Reply = RenderReply | { readonly type: 'late' } | { readonly type: 'ended' }

/** How many times longer than its processor time a rendering may take where the cores are busy. */
const busyFactor = 10
/** Limits of the heap in MB. A thread would not do: an allocation far over its limit ends its whole process. */
const heapLimits = ['--max-old-space-size=64', '--max-semi-space-size=4']

/** The parent's side of the rendering process. It waits for one reply at a time. */
export class RenderChild {
  private readonly child: ChildProcess
  private readonly ended: Promise<void>
  /** Whether the process has ended, and takes no more messages. */
  isGone = false
  private settle: ((reply: Reply) => void) | undefined

  /** @throws the system's error where no process can be started */
  constructor(setup: RenderSetup) {
    const url = new URL('./render-process.js', import.meta.url)
    this.child = fork(url, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {},
      execArgv: heapLimits,
    })
    this.child.unref()
    this.child.channel?.unref()
    this.child.on('message', (reply: RenderReply) => this.settle?.(reply))
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.isGone = true
        this.settle?.({ type: 'ended' })
        resolve()
      }
      this.child.on('error', end)
      this.child.on('exit', end)
    })
    this.send(setup)
  }

  /**
   * Sends a conversation and waits for its reply.
   * @param cpuTime limit of processor time, in milliseconds
   * @param maxMilliseconds limit on the clock, for when the cores are busy
   */
  ask(variables: TemplateVariables, cpuTime: number, maxMilliseconds = cpuTime * busyFactor): Promise<Reply> {
    const cpuEnd = processTime(this.child.pid) + cpuTime
    const end = performance.now() + maxMilliseconds
    const remaining = () => Math.ceil(Math.min(cpuEnd - processTime(this.child.pid), end - performance.now()))
    const reply = this.next(cpuTime, remaining)
    this.send(variables)
    return reply
  }

  /**
   * Waits for the next reply, which is `late` when there is none in time.
   * @param timeout in milliseconds
   * @param extension returns the milliseconds to wait beyond the timeout
   */
  next(timeout: number, extension: () => number = () => 0): Promise<Reply> {
    if (this.isGone) return Promise.resolve({ type: 'ended' })
    return new Promise((resolve) => {
      const wait = (milliseconds: number): NodeJS.Timeout => setTimeout(() => setImmediate(expire), milliseconds)
      // setImmediate lets a reply in that arrived while this process was busy
      const expire = () => {
        if (this.settle !== settle) return
        const milliseconds = extension()
        if (milliseconds > 0) timer = wait(milliseconds)
        else settle({ type: 'late' })
      }
      let timer = wait(timeout)
      const settle = (reply: Reply) => {
        this.settle = undefined
        clearTimeout(timer)
        resolve(reply)
      }
      this.settle = settle
    })
  }

  end(): Promise<void> {
    // without this, the event loop could end before the process has
    if (!this.isGone) this.child.ref()
    this.child.kill('SIGKILL')
    return this.ended
  }

  /** A process that has ended gets no message; its end is noticed by its event. */
  private send(message: RenderSetup | TemplateVariables): void {
    if (this.child.connected) this.child.send(message, () => undefined)
  }
}
