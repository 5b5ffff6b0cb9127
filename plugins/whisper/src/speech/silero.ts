import { sampleRate } from '../samples.js'
import { floatsOf, Session } from '../session.js'
import { frameSize } from './vad.js'
import type { VadStream, VadModel } from './vad.js'

/** Samples before each frame that the model reads as context. */
const context = 64

/** Silero VAD, versions 5 and 6. */
export class SileroVad implements VadModel {
  private constructor(private readonly session: Session) {}

  /** @throws model_invalid */
  static async load(model: string, path: string): Promise<SileroVad> {
    const problem = 'onnxruntime cannot load its file for voice activity detection'
    // frames are too small to be divided among threads
    return new SileroVad(await Session.open({ model, graph: path, threads: 1, problem }))
  }

  start(): VadStream {
    return new SileroStream(this.session)
  }

  release(): Promise<void> {
    return this.session.release()
  }
}

class SileroStream implements VadStream {
  private readonly input = new Float32Array(context + frameSize)
  private readonly rate
  private state

  constructor(private readonly session: Session) {
    this.rate = session.integers([sampleRate])
    this.state = session.floats(new Float32Array(2 * 128), 2, 1, 128)
  }

  async voiceProbability(frame: Float32Array): Promise<number> {
    this.input.copyWithin(0, frameSize)
    this.input.set(frame, context)
    const input = this.session.floats(this.input, 1, this.input.length)
    const { output, stateN } = await this.session.run({ input, state: this.state, sr: this.rate })
    if (stateN) this.state = stateN
    return floatsOf(output)[0] ?? 0
  }
}
