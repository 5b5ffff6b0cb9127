import { failure } from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'
import { sampleRate } from '../samples.js'
import { floatsOf, Session } from '../session.js'
import { bands, kaldiFeatures, nemoFeatures } from './hub-features.js'
import type { VectorRules, VoiceVectors } from './voice-vectors.js'

/** How to run a model. */
interface Signature {
  readonly features: Uint8Array
  readonly input: string
  /** The name of the input for the number of frames, if there is one. */
  readonly length: string | undefined
  readonly output: string
}

const fileLabel = 'its file for speakers'

/**
 * Speaker vectors by an ONNX model of the hub, whose kind is recognised by its input: [batch, frames, 80] (WeSpeaker's ResNet34 and
 * CAM++, 3D-Speaker's) or [batch, 80, frames] and a length (NeMo's TitaNet).
 */
export class HubVectors implements VoiceVectors {
  /**
   * Windows as in the recipes of WeSpeaker and NeMo; the cosine is that of pyannote.audio 3.1 for WeSpeaker's vectors
   * (a distance of 0.7046). These numbers have not been verified with real models.
   */
  readonly rules: VectorRules = {
    window: 1.5 * sampleRate,
    hop: 0.75 * sampleRate,
    sameVoice: { second: 0.75, further: 0.75 },
  }

  private constructor(
    private readonly features: Session,
    private readonly network: Session,
    private readonly signature: Signature,
  ) {}

  /** @throws model_invalid */
  static async load(model: string, path: string, threads: number): Promise<HubVectors> {
    const open = (graph: string | Uint8Array, some: number) =>
      Session.open({ model, graph, threads: some, problem: `${fileLabel} cannot be read by onnxruntime` })
    const network = await open(path, threads)
    const signature = signatureOf(network)
    if (signature) return new HubVectors(await open(signature.features, 1), network, signature)
    await network.release()
    const problem = `${fileLabel} reads neither [batch, frames, ${bands}] nor [batch, ${bands}, frames] and a length`
    throw failure('model_invalid', { model, problem })
  }

  async vectorsOf(parts: readonly Float32Array[]): Promise<Float32Array[]> {
    const { input, length, output } = this.signature
    const vectors: Float32Array[] = []
    // parts run one by one, for models may have been exported with a batch of one
    for (const part of parts) {
      const { features } = await this.features.run({ samples: this.features.floats(part, 1, part.length) })
      if (!features) continue
      const lengths = length === undefined ? {} : { [length]: this.network.integers([features.dims[2] ?? 0], 1) }
      const outputs = await this.network.run({ [input]: features, ...lengths }, [output])
      vectors.push(normalised(floatsOf(outputs[output])))
    }
    return vectors
  }

  async release(): Promise<void> {
    await this.features.release()
    await this.network.release()
  }
}

const signatureOf = ({ inputs, outputs }: Session): Signature | undefined => {
  const names = [...inputs.keys()]
  const input = names.find((name) => inputs.get(name)?.length === 3)
  const others = names.filter((name) => name !== input)
  const output = outputs.has('embs') ? 'embs' : [...outputs.keys()].at(-1)
  if (input === undefined || output === undefined) return undefined
  const [, second, third] = inputs.get(input) ?? []
  if (third === bands && !others.length) return { features: kaldiFeatures(), input, length: undefined, output }
  if (second === bands && others.length === 1) return { features: nemoFeatures(), input, length: others[0], output }
  return undefined
}
