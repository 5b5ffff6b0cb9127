import { readFileSync } from 'node:fs'
import { normalised } from '@sallyport/kit/numbers'
import { readTorch } from '@sallyport/weights'
import { frame } from '../graph/spectrum.js'
import { concatenate } from '../samples.js'
import { floatsOf, reportingFormatErrors, Session } from '../session.js'
import { ge2eGraph } from './ge2e.js'
import { mean } from './speaker-embedder.js'
import type { ClusteringOptions, SpeakerEmbedder } from './speaker-embedder.js'

/** Frames that the model was trained with. */
const frames = 160
const window = (frames - 1) * frame.hop + frame.length
/** All audio is scaled to 30 dB below full scale, as in training: without a logarithm, the spectrum depends on it. */
const trainingLevel = 10 ** (-30 / 20)

/** Speaker embeddings by GE2E with the weights of Resemblyzer. */
export class Ge2eEmbedder implements SpeakerEmbedder {
  /**
   * Measured on three recordings of about half a minute, and on others with one or more readers, real and synthetic.
   * The cosine of a true second voice with the first was 0.56 to 0.91, that of a false one 0.92 or more (0.85 in one
   * speech with an echo). That of a false further voice was 0.85 or more, and further voices are less probable.
   */
  readonly options: ClusteringOptions = { window, hop: 4000, sameSpeakerThreshold: { second: 0.915, further: 0.85 } }

  private constructor(private readonly session: Session) {}

  /** @param path of `pretrained.pt` @throws model_invalid */
  static load(model: string, path: string): Promise<Ge2eEmbedder> {
    return reportingFormatErrors(model, 'its file for speakers: ', async () => {
      const graph = ge2eGraph(readTorch(readFileSync(path)))
      const problem = 'onnxruntime cannot load its file for speakers'
      // the steps of an LSTM are too small to be divided among threads
      return new Ge2eEmbedder(await Session.open({ model, graph, threads: 1, problem }))
    })
  }

  /** For a part that is longer than the model's window, this is the mean of the embeddings of its windows. */
  async embed(parts: readonly Float32Array[]): Promise<Float32Array[]> {
    if ((parts[0]?.length ?? 0) <= window) return this.embedWindows(parts)
    const embeddings: Float32Array[] = []
    for (const part of parts) embeddings.push(normalised(mean(await this.embedWindows(windowsOf(part)))))
    return embeddings
  }

  release(): Promise<void> {
    return this.session.release()
  }

  private async embedWindows(windows: readonly Float32Array[]): Promise<Float32Array[]> {
    const { length } = windows
    const samples = this.session.floats(concatenate(windows.map(atTrainingLevel)), length, windows[0]?.length ?? 0)
    const data = floatsOf((await this.session.run({ samples }))['embeddings'])
    const size = data.length / length
    return windows.map((_, index) => data.slice(index * size, (index + 1) * size))
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
