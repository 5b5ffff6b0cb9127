import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import { systemCode } from '@sallyport/core'

/** Bytes that are kept for a reader that takes nothing. */
const room = 1024 * 1024
/** Milliseconds between two looks whether there is a reader again. */
const patience = 100

/** Milliseconds that whoever reads gets at the end of the process. */
export const lastWords = 1000

export interface OutputOptions {
  /** The line that stands where others are missing, with its end. */
  readonly missing: (lines: number, because: string) => string
  /** Bytes. */
  readonly room?: number
}

/**
 * Lines on a descriptor of the process that never wait for its reader. What cannot be written is kept, and tried again;
 * where it becomes too much, the oldest lines are dropped and counted. A worker thread would not do: one that stands in
 * a write cannot be ended, and keeps the process from ending.
 */
export class Output {
  private readonly descriptor: number
  private readonly waiting: Buffer[] = []
  private bytes = 0
  /** Bytes of the first line that are written. */
  private begun = 0
  private missing = 0
  private because = ''
  private timer: NodeJS.Timeout | undefined

  constructor(
    stream: { readonly fd: number },
    private readonly options: OutputOptions,
  ) {
    this.descriptor = withoutWaiting(stream.fd)
  }

  /** @param line with its end */
  write(line: string): void {
    if (!line) return
    const bytes = Buffer.from(line)
    this.waiting.push(bytes)
    this.bytes += bytes.length
    if (!this.timer) this.tryAll()
    this.dropOldest()
  }

  /** Writes what is kept, as long as there is a reader that only is slow. @param milliseconds at most */
  finish(milliseconds: number): void {
    const end = performance.now() + milliseconds
    const pause = new Int32Array(new SharedArrayBuffer(4))
    while (!this.tryAll() && this.because === 'EAGAIN' && performance.now() < end) Atomics.wait(pause, 0, 0, 5)
    clearTimeout(this.timer)
  }

  close(): void {
    clearTimeout(this.timer)
    if (this.descriptor > 2) closeSync(this.descriptor)
  }

  /** Whether nothing is kept any more. */
  private tryAll(): boolean {
    try {
      while (this.waiting.length || this.missing) this.writeFirst()
      return true
    } catch (error) {
      this.because = systemCode(error) ?? 'unknown'
      this.timer ??= setTimeout(() => {
        this.timer = undefined
        this.tryAll()
      }, patience).unref()
      return false
    }
  }

  private writeFirst(): void {
    if (this.missing && !this.begun) this.writeMissing()
    const [first] = this.waiting
    if (!first) return
    this.begun += writeSync(this.descriptor, first, this.begun)
    if (this.begun < first.length) return
    this.begun = 0
    this.remove(0)
  }

  /** Writes how many lines are missing. The line is made only when it can be written, or it could be dropped itself. */
  private writeMissing(): void {
    const line = Buffer.from(this.options.missing(this.missing, this.because))
    const written = writeSync(this.descriptor, line)
    this.missing = 0
    if (written === line.length) return
    this.waiting.unshift(line)
    this.bytes += line.length
    this.begun = written
  }

  /** Drops the oldest lines until the rest has room, but never one that is written in part. */
  private dropOldest(): void {
    const { room: most = room } = this.options
    const oldest = this.begun ? 1 : 0
    while (this.bytes > most && this.waiting.length > oldest) {
      this.remove(oldest)
      this.missing += 1
    }
  }

  private remove(at: number): void {
    const [removed] = this.waiting.splice(at, 1)
    this.bytes -= removed?.length ?? 0
  }
}

/**
 * A descriptor on which a write fails instead of waiting. Pipes and terminals are opened a second time: other programs
 * that share the first descriptor (a shell, npm) notice nothing, and cannot set it back. Sockets cannot be opened
 * again, but Node's own stream, which the number comes from, has already made theirs such a descriptor. A terminal
 * that cannot be opened again stays as it is. Writes to files do not wait.
 */
const withoutWaiting = (descriptor: number): number => {
  const kind = fstatSync(descriptor)
  if (!kind.isFIFO() && !kind.isCharacterDevice()) return descriptor
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
    return openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return descriptor
  }
}
