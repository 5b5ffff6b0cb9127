import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { childEnvironment } from '@sallyport/kit/processes'
import { toStreamFormat, fromStreamFormat } from './stream-format.js'

/** A pipeline of Apertium's programs has ended, or had to be ended. */
export class PipelineError extends Error {}

/** The address space of each program, in KiB: more than the largest pairs need. */
const memory = 4 * 1024 * 1024
/** Bytes of output that are allowed beyond a multiple of the input. */
const spareOutput = 1024 * 1024

/**
 * Runs the programs of a mode without Apertium's own script, whose gawk would buffer its input. `-n` leaves out the
 * marks of unknown words.
 */
const command = `ulimit -c 0; ulimit -v ${memory}; mode=$("$0-wblank-mode" -z "$1") && exec /bin/sh -c "$mode" sh -n ''`

/** A pipeline of Apertium's programs, which translates one text after the other. */
export class Pipeline {
  private readonly child: ChildProcessWithoutNullStreams
  private readonly pending: string[] = []
  private expected = 0
  private output: Buffer = Buffer.alloc(0)
  private error: Error | undefined
  private changed = () => {}

  /**
   * @param program Apertium's main program; the others are beside it
   * @param mode the path of the mode file, which lists the programs
   */
  constructor(
    program: string,
    readonly mode: string,
  ) {
    // A process group of its own can be killed as a whole.
    this.child = spawn('/bin/sh', ['-c', command, program, mode], {
      detached: true,
      env: childEnvironment(process.env),
    })
    this.child.on('error', (cause) => this.fail(new PipelineError('it cannot be started', { cause })))
    this.child.on('close', (code) => this.fail(new PipelineError(`it ended with ${code ?? 'a signal'}`)))
    // Writing to a pipeline that has ended fails; its end is reported by the close event.
    this.child.stdin.on('error', () => undefined)
    this.child.stderr.resume()
    this.child.stdout.on('data', (chunk: Buffer) => this.receive(chunk))
  }

  get hasEnded(): boolean {
    return this.error !== undefined
  }

  /**
   * Must not be called while another text is translated.
   * @throws PipelineError; the signal's reason; it has ended then
   */
  async translate(units: readonly string[], signal: AbortSignal): Promise<string[]> {
    const input = units.map(toStreamFormat).join('')
    const maxOutput = 16 * input.length + spareOutput
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
        if (this.output.length > maxOutput) throw new PipelineError('its output does not end')
      }
      return this.pending.splice(0).map(fromStreamFormat)
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
      // The process has ended already.
    }
  }

  private receive(chunk: Buffer): void {
    let rest = this.output.length === 0 ? chunk : Buffer.concat([this.output, chunk])
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      this.pending.push(rest.subarray(0, end).toString())
      rest = rest.subarray(end + 1)
    }
    this.output = rest
    // After surplus output, later answers would belong to other texts.
    if (this.pending.length > this.expected) this.end()
    this.changed()
  }

  private fail(error: Error): void {
    this.error ??= error
    this.changed()
  }
}
