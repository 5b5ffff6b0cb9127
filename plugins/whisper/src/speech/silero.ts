import { failure } from '@sallyport/core'
import type { InferenceSession, Tensor, TypedTensor } from 'onnxruntime-node'
import type * as Library from 'onnxruntime-node'
import { loadRuntime } from '../onnxruntime.js'
import { frameSize } from './voice.js'
import type { VoiceMeter, VoiceModel } from './voice.js'

/** Samples before each frame that the model wants to see, too. */
const context = 64
const stateShape = [2, 1, 128]

/** Silero VAD, versions 5 and 6. */
export class SileroModel implements VoiceModel {
  private constructor(
    private readonly library: typeof Library,
    private readonly session: InferenceSession,
  ) {}

  /** @throws model_invalid */
  static async load(model: string, path: string): Promise<SileroModel> {
    const library = await loadRuntime()
    try {
      // frames are too small to be shared out among threads
      const options = { intraOpNumThreads: 1, interOpNumThreads: 1 }
      return new SileroModel(library, await library.InferenceSession.create(path, options))
    } catch (cause) {
      throw failure('model_invalid', { model, problem: 'its file for voice activity cannot be read' }, { cause })
    }
  }

  start(): VoiceMeter {
    const { Tensor: TensorOf } = this.library
    return new SileroMeter(this.session, TensorOf)
  }

  release(): Promise<void> {
    return this.session.release()
  }
}

class SileroMeter implements VoiceMeter {
  private readonly input = new Float32Array(context + frameSize)
  private readonly rate: Tensor
  private state: Tensor

  constructor(
    private readonly session: InferenceSession,
    private readonly make: typeof Tensor,
  ) {
    this.rate = new make('int64', BigInt64Array.of(16_000n), [])
    this.state = new make('float32', new Float32Array(stateShape.reduce((product, size) => product * size)), stateShape)
  }

  async measure(frame: Float32Array): Promise<number> {
    this.input.copyWithin(0, frameSize)
    this.input.set(frame, context)
    const input = new this.make('float32', this.input, [1, this.input.length])
    const { output, stateN } = await this.session.run({ input, state: this.state, sr: this.rate })
    if (stateN) this.state = stateN
    return (output as TypedTensor<'float32'> | undefined)?.data[0] ?? 0
  }
}
