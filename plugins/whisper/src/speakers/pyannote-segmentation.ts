import { failure } from '@sallyport/core'
import { maxOf } from '@sallyport/kit/lists'
import { sampleRate } from '../samples.js'
import { floatsOf, Session } from '../session.js'

/** The active speakers, of three, for each class of the model's output. */
export const classes: readonly (readonly number[])[] = [[], [0], [1], [2], [0, 1], [0, 2], [1, 2]]

/** Samples of the model's window. */
export const windowLength = 10 * sampleRate

const fileLabel = 'its file for segmentation'

/**
 * Finds the speakers within ten seconds by pyannote's segmentation 3.0 (A. Plaquet and H. Bredin, "Powerset multi-class
 * cross entropy loss for neural speaker diarization", 2023): one of seven classes in each frame of 17 ms.
 */
export class PyannoteSegmentation {
  private constructor(
    private readonly session: Session,
    private readonly input: string,
    private readonly output: string,
  ) {}

  /** @throws model_invalid */
  static async load(model: string, path: string, threads: number): Promise<PyannoteSegmentation> {
    const refusal = `onnxruntime cannot load ${fileLabel}`
    const session = await Session.open({ model, graph: path, threads, problem: refusal })
    const [[input, inputShape] = ['', []], ...others] = [...session.inputs]
    const [[output, outputShape] = ['', []]] = [...session.outputs]
    const fits = inputShape.length === 3 && [1, -1].includes(inputShape[1] ?? 0) && !others.length
    if (fits && outputShape.length === 3 && outputShape[2] === classes.length)
      return new PyannoteSegmentation(session, input, output)
    await session.release()
    const problem = `${fileLabel} must read [batch, 1, samples] and return [batch, frames, ${classes.length}]`
    throw failure('model_invalid', { model, problem })
  }

  /**
   * The class of each frame; the frames divide the window evenly.
   * @param samples of one window
   */
  async classesOf(samples: Float32Array): Promise<number[]> {
    const input = this.session.floats(samples, 1, 1, samples.length)
    const data = floatsOf((await this.session.run({ [this.input]: input }, [this.output]))[this.output])
    return Array.from({ length: data.length / classes.length }, (_, frame) => {
      const row = data.subarray(frame * classes.length, (frame + 1) * classes.length)
      return row.indexOf(maxOf(row))
    })
  }

  release(): Promise<void> {
    return this.session.release()
  }
}
