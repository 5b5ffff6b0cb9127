import { failure } from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'
import { sampleRate } from '../samples.js'
import { floatsOf, Session } from '../session.js'
import { bands, kaldiGraph, nemoGraph } from './onnx-features.js'
import type { ClusteringOptions, SpeakerEmbedder } from './speaker-embedder.js'

/** How a model is run. */
interface Signature {
  /** The graph that computes the features. */
  readonly featureGraph: Uint8Array
  readonly input: string
  /** The name of the input for the number of frames, if there is one. */
  readonly length: string | undefined
  readonly output: string
}

const fileLabel = 'its file for speakers'

/**
 * Speaker embeddings by an ONNX model, such as those on the Hugging Face Hub. Its kind is recognised by its inputs:
 * [batch, frames, 80] (WeSpeaker's ResNet34 and CAM++, 3D-Speaker's) or [batch, 80, frames] and a length (NeMo's
 * TitaNet).
 */
export class OnnxEmbedder implements SpeakerEmbedder {
  /**
   * Windows as in the recipes of WeSpeaker and NeMo; the threshold is that of pyannote.audio 3.1 for WeSpeaker's
   * embeddings (a distance of 0.7046). These numbers have not been verified with real models.
   */
  readonly options: ClusteringOptions = {
    window: 1.5 * sampleRate,
    hop: 0.75 * sampleRate,
    sameSpeakerThreshold: { second: 0.75, further: 0.75 },
  }

  private constructor(
    private readonly features: Session,
    private readonly model: Session,
    private readonly signature: Signature,
  ) {}

  /** @throws model_invalid */
  static async load(id: string, path: string, threads: number): Promise<OnnxEmbedder> {
    const open = (graph: string | Uint8Array, count: number) =>
      Session.open({ model: id, graph, threads: count, problem: `onnxruntime cannot load ${fileLabel}` })
    const model = await open(path, threads)
    const signature = signatureOf(model)
    if (signature) return new OnnxEmbedder(await open(signature.featureGraph, 1), model, signature)
    await model.release()
    const problem = `${fileLabel} reads neither [batch, frames, ${bands}] nor [batch, ${bands}, frames] and a length`
    throw failure('model_invalid', { model: id, problem })
  }

  async embed(parts: readonly Float32Array[]): Promise<Float32Array[]> {
    const { input, length, output } = this.signature
    const embeddings: Float32Array[] = []
    // parts run one by one, because models may have been exported with a batch size of 1
    for (const part of parts) {
      const { features } = await this.features.run({ samples: this.features.floats(part, 1, part.length) })
      if (!features) continue
      const lengths = length === undefined ? {} : { [length]: this.model.integers([features.dims[2] ?? 0], 1) }
      const outputs = await this.model.run({ [input]: features, ...lengths }, [output])
      embeddings.push(normalised(floatsOf(outputs[output])))
    }
    return embeddings
  }

  async release(): Promise<void> {
    await this.features.release()
    await this.model.release()
  }
}

const signatureOf = ({ inputs, outputs }: Session): Signature | undefined => {
  const names = [...inputs.keys()]
  const input = names.find((name) => inputs.get(name)?.length === 3)
  const others = names.filter((name) => name !== input)
  const output = outputs.has('embs') ? 'embs' : [...outputs.keys()].at(-1)
  if (input === undefined || output === undefined) return undefined
  const [, second, third] = inputs.get(input) ?? []
  if (third === bands && !others.length) return { featureGraph: kaldiGraph(), input, length: undefined, output }
  if (second === bands && others.length === 1) return { featureGraph: nemoGraph(), input, length: others[0], output }
  return undefined
}
