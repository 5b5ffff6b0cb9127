/**
 * Sends frames over the channel that `fork(…, { serialization: 'advanced' })` makes. A socket with our own framing was
 * measured to be no faster: at the rate of a model's tokens, wake-ups dominate the cost, not the encoding.
 */

import type { ChildProcess } from 'node:child_process'
import type { Frame, RequestFrame, ResponseFrame, Transport } from './protocol.js'

type Channel = Pick<NodeJS.Process, 'on' | 'connected'> & {
  send?: ((message: unknown, callback: (error: Error | null) => void) => boolean) | undefined
  disconnect?: (() => void) | undefined
}

const transportOver = <Out extends Frame>(channel: Channel): Transport<Out> & { closeWith(reason: string): void } => {
  let closed = false
  let closeListener: ((reason: string) => void) | undefined
  const closeWith = (reason: string) => {
    if (closed) return
    closed = true
    closeListener?.(reason)
  }
  return {
    closeWith,
    send(frames) {
      // A broken channel is reported once when it closes, not by each message that was lost.
      if (!closed && channel.connected) channel.send?.(frames, () => undefined)
    },
    onFrame(listener) {
      channel.on('message', (message: unknown) => {
        if (Array.isArray(message)) for (const frame of message) listener(frame)
        else listener(message)
      })
    },
    onClose(listener) {
      closeListener = listener
      channel.on('disconnect', () => closeWith('the channel was closed'))
    },
    close() {
      if (channel.connected) channel.disconnect?.()
      closeWith('closed here')
    },
  }
}

/** The parent's end. After an exit the channel gets 100 ms to deliver what was sent before it. */
export const transportToChild = (child: ChildProcess): Transport<RequestFrame> => {
  const transport = transportOver<RequestFrame>(child as unknown as Channel)
  child.once('error', (error) => transport.closeWith(`the process could not be reached: ${error.message}`))
  child.once('exit', () => setTimeout(() => transport.closeWith('the process ended'), 100))
  return transport
}

/** The child's end. */
export const transportToParent = (): Transport<ResponseFrame> => transportOver<ResponseFrame>(process)
