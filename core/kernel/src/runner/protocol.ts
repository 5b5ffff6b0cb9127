/**
 * The call protocol between the kernel and code that runs elsewhere: a child process today, a remote worker later.
 * Frames are plain data (structured clone, typed arrays included); a {@link Transport} carries them in order.
 */

import type { ErrorData } from '@sallyport/core'

/** Chunks of a stream that may be on their way or unread. The reader returns credit for half of them at a time. */
export const creditWindow = 64

/** Milliseconds without a frame after which a server with calls in flight says that it is alive. */
export const heartbeatInterval = 400

export interface CallFrame {
  type: 'call'
  id: number
  /** `load`, `stop`, or `<capability>.<method>`. */
  method: string
  payload: unknown
  /** Milliseconds; a point in time would suppose equal clocks. */
  timeout?: number
  requestId?: string
  tenant?: string
  /** How many chunks may be sent before further credit arrives. */
  credit: number
}

/** Frames from the client to the server. */
export type RequestFrame =
  | CallFrame
  | { type: 'cancel'; id: number }
  | { type: 'credit'; id: number; chunks: number }
  /** Asks for a heartbeat. */
  | { type: 'ping' }

/** Several chunks may share a frame: each frame costs the event loops on both sides. */
export interface ChunkFrame {
  type: 'chunk'
  id: number
  payloads: unknown[]
}

export interface LogFrame {
  type: 'log'
  level: LogLevel
  fields: object
  message: string
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/**
 * Frames from the server to the client. Every call, even a cancelled one, is answered by an `end` or an `error`; the
 * first one counts.
 */
export type ResponseFrame =
  | ChunkFrame
  /** Ends a stream, or answers a call with its value. */
  | { type: 'end'; id: number; payload?: unknown }
  | { type: 'error'; id: number; error: ErrorData }
  | { type: 'heartbeat' }
  | LogFrame

export type Frame = RequestFrame | ResponseFrame

/** Carries frames, in order, without loss until it closes. What arrives is unchecked: the receiver checks it. */
export interface Transport<Out extends Frame> {
  /**
   * Sends the frames of one turn of the event loop as one message.
   * @throws when one of them holds what cannot be copied (a function); then none of them is sent.
   */
  send(frames: readonly Out[]): void
  onFrame(listener: (frame: unknown) => void): void
  /** Called once; `reason` is for the log. */
  onClose(listener: (reason: string) => void): void
  close(): void
}

/**
 * File descriptor of the pipe between a child process and its parent that carries the heartbeats of the watchdog
 * thread.
 */
export const watchdogDescriptor = 4

/** Begins the line on standard error in which the watchdog thread says why it kills the process. */
export const watchdogNotice = 'killed by the watchdog thread: '

/** Milliseconds between two heartbeats of the watchdog thread. */
export const watchdogInterval = 500
