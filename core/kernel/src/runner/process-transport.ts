/**
 * Frames over the channel that `fork(…, { serialization: 'advanced' })` makes. A socket with framing of our own was
 * measured to cost the same: at the rate of a model's tokens the wake-ups cost, not the encoding.
 */

import type { ChildProcess } from 'node:child_process'
import type { Frame, RequestFrame, ResponseFrame, Transport } from './protocol.js'

type Channel = Pick<NodeJS.Process, 'on' | 'connected'> & {
  send?: ((message: unknown, callback: (error: Error | null) => void) => boolean) | undefined
  disconnect?: (() => void) | undefined
}

const channelTransport = <Out extends Frame>(channel: Channel): Transport<Out> & { end(reason: string): void } => {
  let closed = false
  let closeListener: ((reason: string) => void) | undefined
  const end = (reason: string) => {
    if (closed) return
    closed = true
    closeListener?.(reason)
  }
  return {
    end,
    send(frames) {
      // A broken channel is reported by its end, not by each message that did not pass.
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
      channel.on('disconnect', () => end('the channel was closed'))
    },
    close() {
      if (channel.connected) channel.disconnect?.()
      end('closed here')
    },
  }
}

/** The parent's end. After an exit the channel gets 100 ms to deliver what was sent before it. */
export const childProcessTransport = (child: ChildProcess): Transport<RequestFrame> => {
  const transport = channelTransport<RequestFrame>(child as unknown as Channel)
  child.once('error', (error) => transport.end(`the process could not be reached: ${error.message}`))
  child.once('exit', () => setTimeout(() => transport.end('the process ended'), 100))
  return transport
}

/** The child's end. */
export const parentProcessTransport = (): Transport<ResponseFrame> => channelTransport<ResponseFrame>(process)
