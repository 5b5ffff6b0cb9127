import { readFileSync } from 'node:fs'
import { failure } from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'
import { FormatError, readTorch } from '@sallyport/weights'
import { frame } from '../graph/spectrum.js'
import { concatenate } from '../samples.js'
import { floatsOf, Session } from '../session.js'
import { ge2eGraph } from './ge2e.js'
import { mean } from './voice-vectors.js'
import type { VectorRules, VoiceVectors } from './voice-vectors.js'

/** Frames that the network was trained with. */
const frames = 160
const window = (frames - 1) * frame.step + frame.length
/** All audio is scaled to 30 dB below full scale, as in training: without a logarithm, the spectrum depends on it. */
const trainingLevel = 10 ** (-30 / 20)

/** Speaker vectors by GE2E with the weights of Resemblyzer. */
export class Ge2eVectors implements VoiceVectors {
  /**
   * Measured on three recordings of half a minute and some of one and more readers, real and synthetic. A true second
   * voice had a cosine of 0.56 to 0.91 with the first, a false one 0.92 and more (but 0.85 in a speech with an echo).
   * A false further voice had 0.85 and more, and further voices are less probable.
   */
  readonly rules: VectorRules = { window, hop: 4000, sameVoice: { second: 0.915, further: 0.85 } }

  private constructor(private readonly session: Session) {}

  /** @param path of `pretrained.pt` @throws model_invalid */
  static async load(model: string, path: string): Promise<Ge2eVectors> {
    try {
      const graph = ge2eGraph(readTorch(readFileSync(path)))
      const problem = 'its file for speakers cannot be read by onnxruntime'
      // the steps of an LSTM are too small to be divided among threads
      return new Ge2eVectors(await Session.open({ model, graph, threads: 1, problem }))
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause
      throw failure('model_invalid', { model, problem: `its file for speakers: ${cause.message}` }, { cause })
    }
  }

  /** For a part that is longer than the network's window, this is the mean of the vectors of its windows. */
  async vectorsOf(parts: readonly Float32Array[]): Promise<Float32Array[]> {
    if ((parts[0]?.length ?? 0) <= window) return this.ofWindows(parts)
    const vectors: Float32Array[] = []
    for (const part of parts) vectors.push(normalised(mean(await this.ofWindows(windowsOf(part)))))
    return vectors
  }

  release(): Promise<void> {
    return this.session.release()
  }

  private async ofWindows(windows: readonly Float32Array[]): Promise<Float32Array[]> {
    const samples = this.session.floats(
      concatenate(windows.map(atTrainingLevel)),
      windows.length,
      windows[0]?.length ?? 0,
    )
    const data = floatsOf((await this.session.run({ samples }))['vectors'])
    const width = data.length / windows.length
    return windows.map((_, index) => data.slice(index * width, (index + 1) * width))
  }
}

/** Windows overlap by half; the last one ends with the part. */
const windowsOf = (part: Float32Array): Float32Array[] =>
  Array.from({ length: 1 + Math.ceil((part.length - window) / (window / 2)) }, (_, index) => {
    const begin = Math.min(Math.round((index * window) / 2), part.length - window)
    return part.subarray(begin, begin + window)
  })

const atTrainingLevel = (samples: Float32Array): Float32Array => {
  const power = samples.reduce((sum, value) => sum + value * value, 0) / samples.length
  const gain = trainingLevel / Math.max(Math.sqrt(power), 1e-6)
  return samples.map((value) => value * gain)
}
