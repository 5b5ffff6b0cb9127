/** The protocol over a program's standard input and output, with one message per line. */

import { setTimeout as sleep } from 'node:timers/promises'
import { isJSONRPCRequest, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { GuardedProcess, OutputLines } from '@sallyport/kit/processes'
import type { ProgramStart } from '@sallyport/kit/processes'
import { Pacer } from '@sallyport/kit/async'
import { ServerFault } from '../fault.js'
import { MessageRateLimit } from './message-rate-limit.js'
import { boundedLines } from './line-reader.js'
import type { MessageLimits, ToolTransport } from './tool-transport.js'

/** The time for a program to end by itself once its input has ended. */
const graceMs = 1000
/** The time for the last output of a program to arrive after its end. */
const lastOutputMs = 500

/** Replaces the MCP SDK's transport, which reads lines of any length and leaves the program's children running. */
export class StdioTransport implements ToolTransport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  failure: Error | undefined
  #process: GuardedProcess | undefined
  readonly #rateLimit: MessageRateLimit
  #closed = false

  /**
   * @param onLine receives lines of the program's standard error
   * @param limits of the length and number of messages
   */
  constructor(
    private readonly program: ProgramStart,
    private readonly onLine: (line: string) => void,
    private readonly limits: MessageLimits,
  ) {
    this.#rateLimit = new MessageRateLimit(limits.maxMessages)
  }

  start(): Promise<void> {
    const process = new GuardedProcess(this.program)
    this.#process = process
    new OutputLines(this.onLine).read(process.errors)
    const read = this.#read(process)
    void process.ended.then(async (how) => {
      await Promise.race([read, sleep(lastOutputMs)])
      this.#lose(new ServerFault(how))
    })
    return Promise.resolve()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const process = this.#process
    if (this.#closed || !process) throw new ServerFault('has ended')
    const line = `${JSON.stringify(message)}\n`
    if (isJSONRPCRequest(message)) this.#rateLimit.expectResponse()
    if (process.input.writableLength > this.limits.maxBytes) throw new ServerFault('does not read its input')
    await new Promise<void>((resolve, reject) => {
      process.input.write(line, (error) => (error ? reject(new ServerFault('has ended', { cause: error })) : resolve()))
    })
  }

  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true
      this.onclose?.()
    }
    if (this.#process) await stop(this.#process)
  }

  async #read(process: GuardedProcess): Promise<void> {
    const { maxBytes, tenant } = this.limits
    const pacer = new Pacer({ signal: new AbortController().signal, tenant })
    try {
      for await (const line of boundedLines(process.output, maxBytes, pacer)) if (line.trim()) this.#receive(line)
      process.signal('SIGKILL')
    } catch (error) {
      process.signal('SIGKILL')
      this.#lose(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /**
   * Skips lines that are not messages, because some programs log to standard output.
   * @throws ServerFault for too many lines
   */
  #receive(line: string): void {
    const message = this.#parse(line)
    const fault = this.#rateLimit.count(message)
    if (fault) throw fault
    if (message && this.#rateLimit.accepts(message)) this.onmessage?.(message)
  }

  #parse(line: string): JSONRPCMessage | undefined {
    try {
      return JSONRPCMessageSchema.parse(JSON.parse(line))
    } catch (error) {
      this.onerror?.(new ServerFault('wrote a line that is not a message', { cause: error }))
      return undefined
    }
  }

  #lose(error: Error): void {
    if (this.#closed) return
    this.#closed = true
    this.failure = error
    this.onerror?.(error)
    this.onclose?.()
  }
}

/** Ends the program's input, then sends its group SIGTERM, then SIGKILL. Resolves when the program has ended. */
const stop = async (process: GuardedProcess): Promise<void> => {
  if (!process.isRunning) return
  process.input.end()
  const timers = [
    setTimeout(() => process.signal('SIGTERM'), graceMs),
    setTimeout(() => process.signal('SIGKILL'), 2 * graceMs),
  ]
  await process.ended
  for (const timer of timers) clearTimeout(timer)
}
