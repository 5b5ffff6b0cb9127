import { mkdirSync, rmSync } from 'node:fs'
import { failure, isSallyportError, systemCode } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import { roundedMilliseconds } from '../dialects/values.js'
import { AppendFile } from './append-file.js'
import { chainedLine, digestOf } from './lines.js'
import type { AuditEvent, ChainLink } from './lines.js'
import { lockDirectory } from './lock.js'
import { logFile, logFiles } from './log-files.js'
import { recoverEnd } from './recovery.js'
import type { LogEnd } from './recovery.js'
import type { HeadSigner } from './signature.js'

export interface AuditLogOptions {
  /** The directory of the log. */
  readonly path: string
  readonly rotate: {
    /** Bytes from which on a file is followed by another one. */
    readonly bytes: number
    /** Files that stay, the current one included; 0: all. */
    readonly keep: number
  }
  /** Whether requests wait for the disk, and are refused where it takes no lines. */
  readonly sync: boolean
}

export interface Clock {
  /** Milliseconds since 1970, which may jump. */
  readonly now: () => number
  /** Milliseconds that never go back. */
  readonly monotonic: () => number
}

const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

interface Stamped {
  readonly event: AuditEvent
  readonly time: number
  readonly up: number
}

interface Waiting extends Stamped {
  readonly resolve: (seq: number) => void
  readonly reject: (error: Error) => void
}

/** Milliseconds between two signed heads. */
const headInterval = 60_000

/** Appends events to the files of an audit log: those of one turn of the event loop with one write. */
export class AuditLog {
  readonly strict: boolean
  private readonly opened: number
  private readonly headTimer: NodeJS.Timeout
  private readonly waiting: Waiting[] = []
  private flushing: Promise<void> | undefined
  private number: number
  private oldest: number
  private last: ChainLink
  private lastTime: number
  private signed = false
  private lost = 0
  private isClosed = false

  private constructor(
    private readonly options: AuditLogOptions,
    private readonly signer: HeadSigner,
    private readonly logger: Logger,
    private readonly clock: Clock,
    private readonly unlock: () => void,
    end: LogEnd,
    private file: AppendFile,
  ) {
    this.strict = options.sync
    this.opened = clock.monotonic()
    this.number = end.file.number
    this.oldest = end.oldest
    this.last = end.last
    this.lastTime = end.lastTime ?? 0
    this.headTimer = setInterval(() => this.signHead(), headInterval).unref()
    if (end.torn) this.record({ kind: 'recovered', bytes: end.torn })
    this.record({ kind: 'opened' })
    this.signHead()
  }

  /**
   * Opens the log, goes on behind its last whole line, and signs it.
   * @throws config_invalid where another server writes to it, and where it cannot be opened
   */
  static open(options: AuditLogOptions, signer: HeadSigner, logger: Logger, clock = systemClock): AuditLog {
    const unusable = (problem: string, cause?: unknown) =>
      failure('config_invalid', { where: options.path, problem, option: ['audit', 'path'] }, { cause })
    let unlock: (() => void) | undefined
    try {
      mkdirSync(options.path, { recursive: true, mode: 0o700 })
      unlock = lockDirectory(options.path)
      if (!unlock) throw unusable('another server writes its audit log here: give each one a path of its own')
      const end = recoverEnd(options.path)
      return new AuditLog(options, signer, logger, clock, unlock, end, AppendFile.open(end.file.path, options.sync))
    } catch (error) {
      unlock?.()
      if (isSallyportError(error)) throw error
      const code = systemCode(error) ?? (error instanceof Error ? error.name : 'unknown')
      throw unusable(`the audit log cannot be opened (${code}): give it a directory where the server may write`, error)
    }
  }

  /**
   * Writes a line for an event.
   * @returns the line's number, once the system has the line, with `sync` once the disk has it
   * @throws insufficient_storage
   */
  append(event: AuditEvent): Promise<number> {
    const line = new Promise<number>((resolve, reject) => {
      if (this.isClosed) reject(unavailable())
      else this.waiting.push({ ...this.stamp(event), resolve, reject })
    })
    this.flushing ??= new Promise((resolve) => {
      setImmediate(() => {
        void this.flush().then(resolve)
      })
    })
    return line
  }

  /** Signs what has been written, and lets another server have the directory. */
  async close(): Promise<void> {
    clearInterval(this.headTimer)
    this.signHead()
    this.isClosed = true
    await this.flushing
    this.file.close()
    this.unlock()
  }

  /** Records what no request waits for. */
  private record(event: AuditEvent): void {
    // A failure is counted and logged.
    this.append(event).catch(() => undefined)
  }

  private signHead(): void {
    if (!this.signed || this.flushing) this.record(this.head())
  }

  private head(): AuditEvent {
    return { kind: 'head', key: this.signer.publicKey }
  }

  private async flush(): Promise<void> {
    while (this.waiting.length) {
      const batch = this.waiting.splice(0)
      try {
        await this.write(batch)
      } catch (error) {
        this.lose(batch, error)
      }
    }
    this.flushing = undefined
  }

  private async write(batch: readonly Waiting[]): Promise<void> {
    // Lines of the log's own have the time of the line that they precede: a later one would make the clock seem to jump.
    const [first = this.stamp({ kind: 'opened' })] = batch
    if (this.file.bytes >= this.options.rotate.bytes) await this.rotate(first)
    const begins = this.file.bytes === 0 && this.number > 1
    const oldest = this.oldestToKeep()
    const rotated = { ...first, event: { kind: 'rotated', oldest } } as const
    await this.writeLines(begins ? [rotated, ...batch] : batch)
    let seq = this.last.seq - batch.length
    for (const { resolve } of batch) resolve((seq += 1))
    if (begins) this.removeOlder(oldest)
  }

  private async writeLines(lines: readonly Stamped[]): Promise<void> {
    let { last, lastTime, lost } = this
    const heads: ChainLink[] = []
    let text = ''
    for (const { event, time, up } of lines) {
      let stamp = `"time":"${new Date(time).toISOString()}","up":${roundedMilliseconds(up)},`
      if (time < lastTime) stamp += `"clockBack":${lastTime - time},`
      if (lost) stamp += `"lost":${lost},`
      const chained = chainedLine(last, event, stamp)
      const isHead = event.kind === 'head'
      const line = isHead ? this.signer.sign(chained) : chained
      last = { seq: last.seq + 1, digest: digestOf(line) }
      lastTime = time
      lost = 0
      if (isHead) heads.push(last)
      text += `${line}\n`
    }
    await this.file.append(text)
    if (this.lost) this.logger.warn({ lost: this.lost }, 'the audit log can be written again; these lines are lost')
    this.signed = lines.at(-1)?.event.kind === 'head'
    this.last = last
    this.lastTime = lastTime
    this.lost = lost
    for (const head of heads) this.logger.info({ head: `${head.seq}:${head.digest}` }, 'audit log signed')
  }

  private stamp(event: AuditEvent): Stamped {
    return { event, time: this.clock.now(), up: this.clock.monotonic() - this.opened }
  }

  /** Signs the file, and begins the next one. */
  private async rotate(first: Stamped): Promise<void> {
    if (!this.signed) await this.writeLines([{ ...first, event: this.head() }])
    const { path } = logFile(this.options.path, this.number + 1)
    const next = AppendFile.create(path, this.options.sync)
    this.file.close()
    this.file = next
    this.number += 1
  }

  private oldestToKeep(): number {
    const { keep } = this.options.rotate
    return Math.max(this.oldest, keep ? this.number - keep + 1 : 1)
  }

  private removeOlder(oldest: number): void {
    this.oldest = oldest
    try {
      for (const { number, path } of logFiles(this.options.path)) if (number < oldest) rmSync(path)
    } catch (error) {
      this.logger.error({ err: error }, 'old files of the audit log could not be removed')
    }
  }

  private lose(batch: readonly Waiting[], error: unknown): void {
    if (!this.lost) this.logger.error({ err: error }, 'the audit log cannot be written: lines are lost')
    this.lost += batch.filter(({ event }) => event.kind !== 'head').length
    for (const { reject } of batch) reject(unavailable(error))
  }
}

const unavailable = (cause?: unknown): Error =>
  failure(
    'insufficient_storage',
    { problem: 'audit unavailable: the server cannot record requests now, and takes none: try again later' },
    { cause },
  )
