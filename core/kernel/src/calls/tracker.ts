/** Gives every call of the kernel its deadline and signal, and counts the running ones. */

import { randomUUID } from 'node:crypto'
import { abortWith, InFlight } from '@sallyport/kit/async'
import { failure } from '@sallyport/core'
import type { Call, CallOptions } from '@sallyport/core'
import { markInspecting, isInspecting } from './inspecting.js'

/** The tenant of callers that name none: programs that embed the kernel. */
const localTenant = 'local'

interface RunningCall {
  readonly call: Call
  readonly end: () => void
}

export class CallTracker {
  private readonly running = new InFlight()
  private readonly abortController = new AbortController()
  private isRefusing = false

  /** @param maxSeconds the longest time that a call may take */
  constructor(private readonly maxSeconds: number) {}

  /** @throws not_ready once calls are refused. */
  open(options: CallOptions): RunningCall {
    if (this.isRefusing) throw failure('not_ready', { state: 'draining' })
    const limit = Date.now() + this.maxSeconds * 1000
    const deadline = Math.min(options.deadline ?? limit, limit)
    const controller = new AbortController()
    const left = Math.max(0, deadline - Date.now())
    const timeout = setTimeout(() => controller.abort(failure('deadline_exceeded', { limit: duration(left) })), left)
    const unlink = [this.abortController.signal, ...(options.signal ? [options.signal] : [])].map((source) =>
      abortWith(source, controller),
    )
    const { requestId = randomUUID(), tenant = localTenant, trace } = options
    const call = { signal: controller.signal, deadline, requestId, tenant, ...(trace && { trace }) }
    this.running.begin()
    let isRunning = true
    return {
      call: isInspecting(options) ? markInspecting(call) : call,
      end: () => {
        if (!isRunning) return
        isRunning = false
        clearTimeout(timeout)
        for (const stop of unlink) stop()
        this.running.end()
      },
    }
  }

  /** Resolves when no call is running. */
  drained(): Promise<void> {
    return this.running.whenIdle()
  }

  /** Lets running calls finish and opens no new ones. */
  refuse(): void {
    this.isRefusing = true
  }

  /** Opens no new calls and aborts the running ones. */
  abortAll(): void {
    this.refuse()
    this.abortController.abort(failure('not_ready', { state: 'draining' }))
  }
}

const duration = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`
