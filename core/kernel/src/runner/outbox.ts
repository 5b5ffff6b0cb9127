import { append } from '@sallyport/kit/lists'
import type { ChunkFrame, Frame, Transport } from './protocol.js'

/**
 * Collects the frames of one turn of the event loop and sends them together: a message costs a system call here and a
 * wake-up on the other side, which is more than its content costs. Chunks of one stream become one frame.
 *
 * It waits for `setImmediate` and not for the end of the microtasks, since native libraries that decode several sequences
 * at once complete them one by one within a turn, each with microtasks of its own.
 */
export class Outbox<Out extends Frame> {
  private frames: Out[] = []
  private readonly chunks = new Map<number, ChunkFrame>()
  private scheduled: NodeJS.Immediate | undefined
  /** The time of the last send, by `performance.now()`. */
  lastSent = 0

  constructor(
    private readonly transport: Transport<Out>,
    /** Returns the frame, if any, to send instead of one that cannot be copied to the other side. */
    private readonly replacement: (frame: Out, error: unknown) => Out | undefined,
  ) {}

  push(frame: Out): void {
    if (frame.type === 'chunk' && this.mergeChunk(frame)) return
    this.frames.push(frame)
    this.scheduled ??= setImmediate(() => this.flush())
  }

  /** Sends what there is without waiting for the end of the turn. */
  flush(): void {
    if (this.scheduled) clearImmediate(this.scheduled)
    this.scheduled = undefined
    if (this.frames.length === 0) return
    const frames = this.frames
    this.frames = []
    this.chunks.clear()
    this.lastSent = performance.now()
    try {
      this.transport.send(frames)
    } catch {
      for (const frame of frames) this.sendAlone(frame)
    }
  }

  private mergeChunk(frame: ChunkFrame): boolean {
    const open = this.chunks.get(frame.id)
    if (!open) this.chunks.set(frame.id, frame)
    else append(open.payloads, frame.payloads)
    return open !== undefined
  }

  private sendAlone(frame: Out): void {
    try {
      this.transport.send([frame])
    } catch (error) {
      const replacement = this.replacement(frame, error)
      if (replacement) this.transport.send([replacement])
    }
  }
}
