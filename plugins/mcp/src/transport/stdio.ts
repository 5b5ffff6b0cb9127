/** The protocol over a program's standard input and output, one message a line. */

import { setTimeout as sleep } from 'node:timers/promises'
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { ServerFault } from '../fault.js'
import { Intake } from './intake.js'
import { boundedLines } from './line-reader.js'
import { ServerProcess } from './server-process.js'
import type { ProgramStart } from './server-process.js'
import type { ToolTransport } from './tool-transport.js'

/** Milliseconds in which what a program has said before its end arrives. */
const lastWords = 500

/** The library's own reads lines of any length, and leaves behind what the program has started. */
export class ProgramTransport implements ToolTransport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  failure: Error | undefined
  #process: ServerProcess | undefined
  readonly #intake = new Intake()
  #closed = false

  /** @param largest bytes of a message */
  constructor(
    private readonly program: ProgramStart,
    private readonly largest: number,
  ) {}

  start(): Promise<void> {
    const process = new ServerProcess(this.program)
    this.#process = process
    const read = this.#read(process)
    void process.ended.then(async (how) => {
      await Promise.race([read, sleep(lastWords)])
      this.#lost(new ServerFault(how))
    })
    return Promise.resolve()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const process = this.#process
    if (this.#closed || !process) throw new ServerFault('has ended')
    const line = `${JSON.stringify(message)}\n`
    if (process.input.writableLength > this.largest) throw new ServerFault('reads nothing of what it is sent')
    await new Promise<void>((resolve, reject) => {
      process.input.write(line, (error) => (error ? reject(new ServerFault('has ended', { cause: error })) : resolve()))
    })
  }

  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true
      this.onclose?.()
    }
    await this.#process?.stop()
  }

  async #read(process: ServerProcess): Promise<void> {
    try {
      for await (const line of boundedLines(process.output, this.largest)) if (line.trim()) this.#receive(line)
      process.kill()
    } catch (error) {
      process.kill()
      this.#lost(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** What is no message is passed over: programs print to the wrong stream. */
  #receive(line: string): void {
    try {
      const message = JSONRPCMessageSchema.parse(JSON.parse(line))
      if (this.#intake.takes(message)) this.onmessage?.(message)
    } catch (error) {
      this.onerror?.(new ServerFault('wrote a line that is no message', { cause: error }))
    }
  }

  #lost(error: Error): void {
    if (this.#closed) return
    this.#closed = true
    this.failure = error
    this.onerror?.(error)
    this.onclose?.()
  }
}
