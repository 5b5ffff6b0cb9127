import { failure } from '@sallyport/core'
import type { ModelSpec } from '@sallyport/core'
import type { VoiceModel } from '../speech/voice.js'
import type { Step } from '../step-gate.js'
import { findSpeakers } from './find-speakers.js'
import { Ge2eVectors } from './ge2e-vectors.js'
import { GlidingVoices } from './gliding-voices.js'
import { HubVectors } from './hub-vectors.js'
import { PyannoteSegmentation } from './pyannote-segmentation.js'
import { SegmentedVoices } from './segmented-voices.js'
import { orderedTurns } from './turns.js'
import type { Turn } from './turns.js'
import type { VoiceSource, VoiceVectors } from './voice-vectors.js'

/** Finds out who speaks when. */
export class Diarizer {
  constructor(readonly source: VoiceSource) {}

  /**
   * What the files of a model allow; undefined where it has none for that.
   * @param threads for models of the hub; GE2E needs one
   * @throws model_invalid, model_files
   */
  static async load(
    { id, files }: Pick<ModelSpec, 'id' | 'files'>,
    voices: VoiceModel,
    threads: number,
  ): Promise<Diarizer | undefined> {
    const { speakers, segmentation } = files
    if (speakers === undefined) {
      if (segmentation === undefined) return undefined
      const problem =
        'it has a file for segmentation, but none with the name "speakers", whose vectors tell voices apart'
      throw failure('model_files', { model: id, problem })
    }
    const vectors: VoiceVectors = speakers.endsWith('.onnx')
      ? await HubVectors.load(id, speakers, threads)
      : await Ge2eVectors.load(id, speakers)
    if (segmentation === undefined) return new Diarizer(new GlidingVoices(voices, vectors))
    return new Diarizer(new SegmentedVoices(await PyannoteSegmentation.load(id, segmentation, threads), vectors))
  }

  /**
   * The turns of a recording, in order; speakers are numbered as they come, from 0.
   * @param step runs whatever holds the event loop for milliseconds
   */
  async turns(samples: AsyncIterable<Float32Array>, step: Step): Promise<Turn[]> {
    const heard = await this.source.hear(samples, step)
    const centroids = await findSpeakers(heard, this.source.rules, step)
    return step(() => orderedTurns(heard.turns(centroids)))
  }

  release(): Promise<void> {
    return this.source.release()
  }
}
