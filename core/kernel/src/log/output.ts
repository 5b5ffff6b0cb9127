import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import { systemCode } from '@sallyport/core'
import { countDroppedLine } from '../telemetry.js'

const defaultMaxBytes = 1024 * 1024
/** Milliseconds between two attempts to write lines that could not be written. */
const retryInterval = 100

/** Milliseconds that {@link Output.finish} may take when the process ends. */
export const finishLimit = 1000

interface OutputOptions {
  /** The line, with its line end, that replaces dropped ones; `errorCode` is the system's, such as EAGAIN. */
  readonly droppedNotice: (lines: number, errorCode: string) => string
  /** Bytes in the buffer beyond which the oldest lines are dropped; 1 MiB by default. */
  readonly maxBytes?: number
}

/**
 * Writes lines to a file descriptor of the process; only `finish` waits for its reader. Lines that cannot be written
 * are buffered and tried again; when the buffer is full, the oldest lines are dropped and counted. A worker thread
 * would not do: one that is blocked in a write cannot be ended, and keeps the process from ending.
 */
export class Output {
  private readonly descriptor: number
  private readonly pending: Buffer[] = []
  private pendingBytes = 0
  /** Bytes of the first pending line that have been written. */
  private writtenOfFirst = 0
  private dropped = 0
  private errorCode = ''
  private timer: NodeJS.Timeout | undefined

  constructor(
    stream: { readonly fd: number },
    private readonly options: OutputOptions,
  ) {
    this.descriptor = nonBlocking(stream.fd)
  }

  /** @param line with its line end */
  write(line: string): void {
    if (!line) return
    const bytes = Buffer.from(line)
    this.pending.push(bytes)
    this.pendingBytes += bytes.length
    if (!this.timer) this.writePending()
    this.dropOldest()
  }

  /**
   * Retries writing the pending lines, blocking the thread, while the only error is a full pipe (EAGAIN).
   * @param milliseconds the longest time that this may take
   */
  finish(milliseconds: number): void {
    const end = performance.now() + milliseconds
    const pause = new Int32Array(new SharedArrayBuffer(4))
    while (!this.writePending() && this.errorCode === 'EAGAIN' && performance.now() < end) Atomics.wait(pause, 0, 0, 5)
    clearTimeout(this.timer)
  }

  close(): void {
    clearTimeout(this.timer)
    if (this.descriptor > 2) closeSync(this.descriptor)
  }

  /** @returns whether everything is written */
  private writePending(): boolean {
    try {
      while (this.pending.length || this.dropped) this.writeFirst()
      return true
    } catch (error) {
      this.errorCode = systemCode(error) ?? 'unknown'
      this.timer ??= setTimeout(() => {
        this.timer = undefined
        this.writePending()
      }, retryInterval).unref()
      return false
    }
  }

  private writeFirst(): void {
    if (this.dropped && !this.writtenOfFirst) this.writeNotice()
    const [first] = this.pending
    if (!first) return
    this.writtenOfFirst += writeSync(this.descriptor, first, this.writtenOfFirst)
    if (this.writtenOfFirst < first.length) return
    this.writtenOfFirst = 0
    this.remove(0)
  }

  /**
   * Writes how many lines were dropped. The notice is made at the moment of writing: one that waited in the buffer
   * could be dropped itself.
   */
  private writeNotice(): void {
    const line = Buffer.from(this.options.droppedNotice(this.dropped, this.errorCode))
    const written = writeSync(this.descriptor, line)
    this.dropped = 0
    if (written === line.length) return
    this.pending.unshift(line)
    this.pendingBytes += line.length
    this.writtenOfFirst = written
  }

  /** Drops the oldest lines until the rest fits, but never one that is partly written. */
  private dropOldest(): void {
    const { maxBytes = defaultMaxBytes } = this.options
    const oldest = this.writtenOfFirst ? 1 : 0
    while (this.pendingBytes > maxBytes && this.pending.length > oldest) {
      this.remove(oldest)
      this.dropped += 1
      countDroppedLine()
    }
  }

  private remove(at: number): void {
    const [removed] = this.pending.splice(at, 1)
    this.pendingBytes -= removed?.length ?? 0
  }
}

/**
 * Returns a descriptor on which a write fails instead of waiting. Pipes and terminals are opened a second time: other
 * programs that share the first descriptor (a shell, npm) notice nothing, and cannot make the second one wait. Sockets
 * cannot be opened again, but Node's own stream, which the number comes from, has already made them non-blocking. A pipe
 * or terminal that cannot be opened again stays as it is. Writes to files do not wait.
 */
const nonBlocking = (descriptor: number): number => {
  const kind = fstatSync(descriptor)
  if (!kind.isFIFO() && !kind.isCharacterDevice()) return descriptor
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
    return openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return descriptor
  }
}
