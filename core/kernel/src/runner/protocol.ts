/**
 * The call protocol between the kernel and code that runs elsewhere: a child process today, a remote worker later.
 * Frames are plain data (structured clone, typed arrays included); a {@link Transport} carries them in order.
 */

import type { ErrorData } from '@sallyport/core'

/** How many chunks of a stream may be on their way or unread; returned as they are read, half of them at a time. */
export const creditWindow = 64

/** Milliseconds without a frame after which a server with calls in flight says that it is alive. */
export const heartbeatInterval = 400

export interface CallFrame {
  type: 'call'
  id: number
  /** `load`, `stop`, or `<capability>.<method>`. */
  method: string
  payload: unknown
  /** Milliseconds left, relative: clocks may differ. */
  deadline?: number
  requestId?: string
  tenant?: string
  /** How many chunks may be sent before further credit arrives. */
  credit: number
}

/** Towards the code that serves. */
export type RequestFrame =
  | CallFrame
  | { type: 'cancel'; id: number }
  | { type: 'credit'; id: number; chunks: number }
  /** Asks for a heartbeat. */
  | { type: 'ping' }

/** Several chunks may ride in one frame: each frame costs the event loops on both sides. */
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

/** Back to the caller. Every call is answered by an `end` or an `error`, the cancelled ones too; the first one counts. */
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
   * The frames of one turn of the event loop, as one message.
   * @throws when one of them holds what cannot be copied (a function); then none of them is sent.
   */
  send(frames: readonly Out[]): void
  onFrame(listener: (frame: unknown) => void): void
  /** Called once; `reason` is for the log. */
  onClose(listener: (reason: string) => void): void
  close(): void
}

/** File descriptor of the pipe that a child process holds to its parent; signs of life come over it. */
export const lifelineDescriptor = 4

/** Milliseconds between two signs of life. */
export const pulseInterval = 500
