/** One connection to a server, as long as it lasts. */

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  LoggingMessageNotificationSchema,
  McpError,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { failure } from '@sallyport/core'
import type { Logger, ToolCallResult } from '@sallyport/core'
import { Pacer, Slots, untilAborted } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import type { SchemaChecker } from '@sallyport/kit/schemas'
import { outputOf } from '../content.js'
import { loggedProblem, ServerFault } from '../fault.js'
import type { Limits } from '../options.js'
import { withValidSchemas } from '../schemas.js'
import { cleanLine } from '../text.js'
import type { ListedTool } from '../tool.js'
import { RateLimit } from '../transport/rate-limit.js'
import type { ToolTransport } from '../transport/tool-transport.js'
import { TimeLimit } from './time-limit.js'
import { listTools } from './tool-list.js'

export interface ConnectionParts {
  readonly limits: Limits
  readonly logger: Logger
  readonly schemas: SchemaChecker
  /** For whom schemas are looked at, in turns with those of others. */
  readonly tenant: string
}

export interface ToolListing {
  readonly tools: readonly ListedTool[]
  /** When it was made, in seconds since the epoch. */
  readonly created: number
}

/** The longest time that a timer takes: how long a call may take is decided here, not by the library. */
const never = 2 ** 31 - 1

/** Calls that wait for a slot. */
const places = 1024

/** Milliseconds for a server to end a session. */
const sessionEndTime = 1000

const linesPerSecond = 20

type Answer = Readonly<Record<string, unknown>>

export class Connection {
  /** Why it came to its end. */
  readonly ended: Promise<unknown>
  private end: (reason: unknown) => void = () => undefined
  private readonly slots: Slots
  private readonly logRate = new RateLimit(linesPerSecond, 1)
  private listing: Promise<ToolListing> | undefined
  private running = 0
  private lost = false
  private closing: Promise<void> | undefined
  private readonly gone = new AbortController()

  private constructor(
    private readonly client: Client,
    private readonly transport: ToolTransport,
    private readonly parts: ConnectionParts,
  ) {
    const { parallel } = parts.limits
    // a call may take minutes: one place is for others
    this.slots = new Slots(parallel, places, { perTenant: Math.max(1, parallel - 1) })
    this.ended = new Promise((resolve) => (this.end = resolve))
    client.onerror = (error) => this.failed(error)
    client.onclose = () => this.lose()
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (this.listing = undefined))
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      if (!this.logRate.allows()) return
      const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data)
      parts.logger.debug({ level: params.level, text: cleanLine(text, 500) }, 'message of the tool server')
    })
  }

  /** @throws ServerFault and errors of HTTP and the protocol; the signal's reason */
  static async over(transport: ToolTransport, parts: ConnectionParts, signal: AbortSignal): Promise<Connection> {
    const client = new Client({ name: 'sallyport', version: '1' })
    const connection = new Connection(client, transport, parts)
    try {
      await untilAborted(client.connect(transport, { timeout: never }), signal)
      return connection
    } catch (error) {
      await transport.close().catch(() => undefined)
      throw transport.failure ?? error
    }
  }

  /** New calls can be made. */
  get isUp(): boolean {
    return !this.lost
  }

  private get isIdle(): boolean {
    return this.running === 0
  }

  /** As they were listed last. @throws ServerFault and errors of HTTP and the protocol; the signal's reason */
  tools(signal: AbortSignal): Promise<ToolListing> {
    const listing = (this.listing ??= this.list())
    listing.catch(() => {
      if (this.listing === listing) this.listing = undefined
    })
    return untilAborted(listing, signal)
  }

  /**
   * @throws overloaded where too many calls wait; deadline_exceeded; ServerFault and errors of HTTP and the protocol; the
   *   signal's reason
   */
  call(name: string, given: unknown, asking: Requester): Promise<ToolCallResult> {
    const { signal } = asking
    return this.slots.run(asking, async () => {
      const { timeout, maxTimeout, maxOutput } = this.parts.limits
      const timeLimit = new TimeLimit(signal, timeout, maxTimeout)
      try {
        return outputOf(await this.ask('tools/call', { name, arguments: given ?? {} }, timeLimit), maxOutput)
      } catch (error) {
        signal.throwIfAborted()
        // what the server has against the call, the model can do something about
        if (error instanceof McpError && this.isOfServer(error))
          return { output: `the server refused the call: ${refusal(error)}`, error: true }
        throw error
      } finally {
        timeLimit.end()
      }
    })
  }

  /** Returns when nothing of it is left. */
  close(): Promise<void> {
    return (this.closing ??= this.shut())
  }

  private async list(): Promise<ToolListing> {
    const tools = await withValidSchemas(await this.listAll(), this.parts, this.gone.signal)
    return { tools, created: Math.floor(Date.now() / 1000) }
  }

  private async listAll(): Promise<readonly ListedTool[]> {
    const { limits, logger, tenant } = this.parts
    const { connectTimeout } = limits
    const whole = new TimeLimit(new AbortController().signal, connectTimeout, connectTimeout)
    const ask = (cursor?: string) => this.ask('tools/list', cursor === undefined ? {} : { cursor }, whole)
    try {
      const pacer = new Pacer({ signal: whole.signal, tenant })
      return await listTools(ask, { limits, logger, pacer })
    } catch (error) {
      throw whole.exceeded === undefined ? error : late(whole.exceeded)
    } finally {
      whole.end()
    }
  }

  private async ask(method: string, params: Record<string, unknown>, timeLimit: TimeLimit): Promise<Answer> {
    this.running += 1
    const { logger } = this.parts
    try {
      const onprogress = ({ progress, total }: { progress: number; total?: number | undefined }) => {
        timeLimit.extend()
        if (this.logRate.allows()) logger.debug({ method, progress, total }, 'progress of a call')
      }
      const asked = this.client.request({ method, params }, ResultSchema, {
        signal: timeLimit.signal,
        timeout: never,
        ...(method === 'tools/call' && { onprogress }),
      })
      return await untilAborted(asked, timeLimit.signal)
    } catch (error) {
      if (timeLimit.exceeded !== undefined) throw late(timeLimit.exceeded)
      throw this.closing || this.lost ? (this.transport.failure ?? error) : error
    } finally {
      this.running -= 1
      if (this.lost && this.isIdle) void this.close()
    }
  }

  private isOfServer({ data }: McpError): boolean {
    return !this.lost && !this.closing && !(data instanceof Error)
  }

  private failed(error: Error): void {
    if (this.logRate.allows())
      this.parts.logger.debug({ problem: loggedProblem(error) }, 'trouble with the tool server')
    if (this.transport.failure) this.lose()
  }

  /** What is under way may still be answered. */
  private lose(): void {
    if (this.lost) return
    this.lost = true
    this.end(this.transport.failure ?? new ServerFault('ended the connection'))
    if (this.isIdle) void this.close()
  }

  private async shut(): Promise<void> {
    this.gone.abort(new ServerFault('ended the connection'))
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), sessionEndTime)
    try {
      await untilAborted(this.transport.endSession?.() ?? Promise.resolve(), late.signal)
    } catch {
      // it ends the session by itself
    } finally {
      clearTimeout(timer)
    }
    await this.client.close().catch(() => undefined)
    await this.transport.close().catch(() => undefined)
    this.lose()
  }
}

const late = (seconds: number) => failure('deadline_exceeded', { limit: `${seconds} s` })

/** The library puts the code before the text. */
const refusal = ({ message }: McpError): string => cleanLine(message.replace(/^MCP error -?\d+: /, ''), 2000)
