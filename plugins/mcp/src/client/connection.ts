/** One connection to a server, until it is lost or closed. */

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  LoggingMessageNotificationSchema,
  McpError,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { failure } from '@sallyport/core'
import type { Call, Logger, ToolCallResult } from '@sallyport/core'
import { maxTimer, Pacer, Slots, TimeLimit, untilAborted } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import type { SchemaChecker } from '@sallyport/kit/schemas'
import { outputOf } from '../content.js'
import { loggedProblem, ServerFault } from '../fault.js'
import type { Limits } from '../options.js'
import { withValidSchemas } from '../schemas.js'
import { cleanLine } from '../text.js'
import type { ListedTool } from '../tool.js'
import { RateLimit } from '../transport/message-rate-limit.js'
import type { ToolTransport } from '../transport/tool-transport.js'
import { listTools } from './tool-list.js'

export interface ConnectionParts {
  readonly limits: Limits
  readonly logger: Logger
  readonly schemaChecker: SchemaChecker
  /** The tenant, or the label of a configured server; work for several is done in turns. */
  readonly tenant: string
}

export interface ToolListing {
  readonly tools: readonly ListedTool[]
  /** The time of the listing, in seconds since the epoch. */
  readonly created: number
}

const maxWaitingCalls = 1024

/** Milliseconds for a server to end a session. */
const sessionEndMs = 1000

const logLinesPerSecond = 20

/** The reason that the MCP SDK sends to the server, which need not know the caller's. */
const cancelled = new Error('the call was cancelled')
const cancelling = { reason: () => cancelled, callerReason: cancelled }

type RpcResult = Readonly<Record<string, unknown>>

export class Connection {
  /** Resolves with the reason when the connection is lost or closed. */
  readonly ended: Promise<unknown>
  private end: (reason: unknown) => void = () => undefined
  private readonly slots: Slots
  private readonly logRate = new RateLimit(logLinesPerSecond, 1)
  private listing: Promise<ToolListing> | undefined
  private runningRequests = 0
  private lost = false
  private closing: Promise<void> | undefined
  private readonly schemaController = new AbortController()

  private constructor(
    private readonly client: Client,
    private readonly transport: ToolTransport,
    private readonly parts: ConnectionParts,
  ) {
    const { parallel } = parts.limits
    // calls may take minutes, so of several slots, one tenant cannot take all
    this.slots = new Slots(parallel, maxWaitingCalls, { perTenant: Math.max(1, parallel - 1) })
    this.ended = new Promise((resolve) => (this.end = resolve))
    client.onerror = (error) => this.reportError(error)
    client.onclose = () => this.lose()
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (this.listing = undefined))
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      if (!this.logRate.tryTake()) return
      const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data)
      parts.logger.debug({ level: params.level, text: cleanLine(text, 500) }, 'message of the tool server')
    })
  }

  /** @throws ServerFault and errors of HTTP and the protocol; the signal's reason */
  static async over(transport: ToolTransport, parts: ConnectionParts, signal: AbortSignal): Promise<Connection> {
    const client = new Client({ name: 'sallyport', version: '1' })
    const connection = new Connection(client, transport, parts)
    try {
      // The SDK's time-outs are as long as a timer may be, for TimeLimit limits calls.
      await untilAborted(client.connect(transport, { timeout: maxTimer }), signal)
      return connection
    } catch (error) {
      await transport.close().catch(() => undefined)
      throw transport.failure ?? error
    }
  }

  /** Whether new calls can be made. */
  get isUp(): boolean {
    return !this.lost
  }

  private get isIdle(): boolean {
    return this.runningRequests === 0
  }

  /**
   * The last listing, or a new one where there is none or the server has reported a change.
   * @throws deadline_exceeded, overloaded, not_ready; ServerFault and errors of HTTP and the protocol; the signal's reason
   */
  tools(signal: AbortSignal): Promise<ToolListing> {
    const listing = (this.listing ??= this.list())
    listing.catch(() => {
      if (this.listing === listing) this.listing = undefined
    })
    return untilAborted(listing, signal)
  }

  /**
   * @throws overloaded where too many calls wait; deadline_exceeded; ServerFault and errors of HTTP and the protocol; the
   * signal's reason
   */
  call(name: string, args: unknown, requester: Requester & Pick<Call, 'trace'>): Promise<ToolCallResult> {
    const { signal, trace } = requester
    return this.slots.run(requester, async () => {
      const { timeout, maxTimeout, maxOutput } = this.parts.limits
      const timeLimit = new TimeLimit(signal, { ...cancelling, silence: timeout * 1000, total: maxTimeout * 1000 })
      try {
        const params = { name, arguments: args ?? {}, ...(trace && { _meta: trace }) }
        return outputOf(await this.request('tools/call', params, timeLimit), maxOutput)
      } catch (error) {
        signal.throwIfAborted()
        // the model can react to the server's error, so it becomes the output
        if (error instanceof McpError && this.isServerError(error))
          return { output: `the server answered the call with an error: ${errorText(error)}`, error: true }
        throw error
      } finally {
        timeLimit.end()
      }
    })
  }

  /** Resolves when the connection and its process have ended. */
  close(): Promise<void> {
    return (this.closing ??= this.shutDown())
  }

  private async list(): Promise<ToolListing> {
    const tools = await withValidSchemas(await this.listAll(), this.parts, this.schemaController.signal)
    return { tools, created: Math.floor(Date.now() / 1000) }
  }

  private async listAll(): Promise<readonly ListedTool[]> {
    const { limits, logger, tenant } = this.parts
    const { connectTimeout } = limits
    const timeLimit = new TimeLimit(undefined, { ...cancelling, total: connectTimeout * 1000 })
    const ask = (cursor?: string) => this.request('tools/list', cursor === undefined ? {} : { cursor }, timeLimit)
    try {
      const pacer = new Pacer({ signal: timeLimit.signal, tenant })
      return await listTools(ask, { limits, logger, pacer })
    } catch (error) {
      throw timeLimit.exceeded === undefined ? error : late(timeLimit.exceeded)
    } finally {
      timeLimit.end()
    }
  }

  private async request(method: string, params: Record<string, unknown>, timeLimit: TimeLimit): Promise<RpcResult> {
    this.runningRequests += 1
    const { logger } = this.parts
    try {
      const onprogress = ({ progress, total }: { progress: number; total?: number | undefined }) => {
        timeLimit.extend()
        if (this.logRate.tryTake()) logger.debug({ method, progress, total }, 'progress of a call')
      }
      const response = this.client.request({ method, params }, ResultSchema, {
        signal: timeLimit.signal,
        timeout: maxTimer,
        ...(method === 'tools/call' && { onprogress }),
      })
      return await untilAborted(response, timeLimit.signal)
    } catch (error) {
      if (timeLimit.exceeded !== undefined) throw late(timeLimit.exceeded)
      if (!this.closing && !this.lost) throw error
      throw this.transport.failure ?? new ServerFault('ended the connection')
    } finally {
      this.runningRequests -= 1
      if (this.lost && this.isIdle) void this.close()
    }
  }

  private isServerError({ data }: McpError): boolean {
    return !this.lost && !this.closing && !(data instanceof Error)
  }

  private reportError(error: Error): void {
    if (this.logRate.tryTake()) this.parts.logger.debug({ problem: loggedProblem(error) }, 'error of the tool server')
    if (this.transport.failure) this.lose()
  }

  /** Accepts no new calls; running ones may still end. */
  private lose(): void {
    if (this.lost) return
    this.lost = true
    this.end(this.transport.failure ?? new ServerFault('ended the connection'))
    if (this.isIdle) void this.close()
  }

  private async shutDown(): Promise<void> {
    this.schemaController.abort(new ServerFault('ended the connection'))
    const ended = this.transport.endSession?.() ?? Promise.resolve()
    await untilAborted(ended, AbortSignal.timeout(sessionEndMs)).catch(() => undefined)
    await this.client.close().catch(() => undefined)
    await this.transport.close().catch(() => undefined)
    this.lose()
  }
}

const late = (milliseconds: number) => failure('deadline_exceeded', { limit: `${milliseconds / 1000} s` })

/** The server's text without the error code, which the MCP SDK puts before it. */
const errorText = ({ message }: McpError): string => cleanLine(message.replace(/^MCP error -?\d+: /, ''), 2000)
