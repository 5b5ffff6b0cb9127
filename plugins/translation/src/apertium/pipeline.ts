import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { childEnvironment } from '@sallyport/kit/processes'
import { framed, unframed } from './stream-format.js'

/** A pipeline of Apertium's programs has ended, or had to be ended. */
export class PipelineError extends Error {}

/** In KiB of addresses of each program: more than the largest pairs need. */
const memory = 4 * 1024 * 1024
/** Bytes of output beside what the input makes likely. */
const spareOutput = 1024 * 1024

/**
 * The programs of a mode, without the script around them: that has gawk hold back what it has read. `-n` has unknown
 * words come without marks.
 */
const command = `ulimit -c 0; ulimit -v ${memory}; mode=$("$0-wblank-mode" -z "$1") && exec /bin/sh -c "$mode" sh -n ''`

/** Reads what is to be translated, and stays for more. */
export class Pipeline {
  private readonly child: ChildProcessWithoutNullStreams
  private readonly pending: string[] = []
  private expected = 0
  private output: Buffer = Buffer.alloc(0)
  private error: Error | undefined
  private changed = () => {}

  /**
   * @param program Apertium's, beside which its other programs are
   * @param mode the path of the file that says which programs
   */
  constructor(
    program: string,
    readonly mode: string,
  ) {
    // a group of its own, which is ended as one
    this.child = spawn('/bin/sh', ['-c', command, program, mode], {
      detached: true,
      env: childEnvironment(process.env),
    })
    this.child.on('error', (cause) => this.fail(new PipelineError('it cannot be started', { cause })))
    this.child.on('close', (code) => this.fail(new PipelineError(`it ended with ${code ?? 'a signal'}`)))
    // what is written to one that has ended is told by its end
    this.child.stdin.on('error', () => undefined)
    this.child.stderr.resume()
    this.child.stdout.on('data', (chunk: Buffer) => this.take(chunk))
  }

  get hasEnded(): boolean {
    return this.error !== undefined
  }

  /** One text after the other. @throws PipelineError; the signal's reason. It has ended then. */
  async translate(units: readonly string[], signal: AbortSignal): Promise<string[]> {
    const input = units.map(framed).join('')
    const most = 16 * input.length + spareOutput
    this.expected = units.length
    const end = () => this.end()
    signal.addEventListener('abort', end)
    try {
      signal.throwIfAborted()
      this.child.stdin.write(input)
      while (this.error || this.pending.length < units.length) {
        if (this.error) throw this.error
        await new Promise<void>((resolve) => (this.changed = resolve))
        signal.throwIfAborted()
        if (this.output.length > most) throw new PipelineError('it writes without an end')
      }
      return this.pending.splice(0).map(unframed)
    } catch (error) {
      this.end()
      throw error
    } finally {
      this.expected = 0
      signal.removeEventListener('abort', end)
    }
  }

  end(): void {
    this.fail(new PipelineError('it was ended'))
    if (this.child.pid === undefined) return
    try {
      process.kill(-this.child.pid, 'SIGKILL')
    } catch {
      // it has ended
    }
  }

  private take(chunk: Buffer): void {
    let rest = this.output.length === 0 ? chunk : Buffer.concat([this.output, chunk])
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      this.pending.push(rest.subarray(0, end).toString())
      rest = rest.subarray(end + 1)
    }
    this.output = rest
    // whatever it is, later answers would be those of other texts
    if (this.pending.length > this.expected) this.end()
    this.changed()
  }

  private fail(error: Error): void {
    this.error ??= error
    this.changed()
  }
}
