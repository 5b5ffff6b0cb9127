import { failure } from '@sallyport/core'
import type { ModelSpec } from '@sallyport/core'
import type { VadModel } from '../speech/vad.js'
import type { Step } from '../step-gate.js'
import { findSpeakers } from './find-speakers.js'
import { Ge2eVectors } from './ge2e-vectors.js'
import { SlidingVoices } from './sliding-voices.js'
import { HubVectors } from './hub-vectors.js'
import { PyannoteSegmentation } from './pyannote-segmentation.js'
import { SegmentedVoices } from './segmented-voices.js'
import { orderedTurns } from './turns.js'
import type { Turn } from './turns.js'
import type { VoiceAnalyser, VoiceVectors } from './voice-vectors.js'

/** Speaker diarization: who speaks when. */
export class Diarizer {
  constructor(readonly analyser: VoiceAnalyser) {}

  /**
   * Loads the diarization that the files of a model allow; undefined where it has none for that.
   * @param threads for models of the hub; GE2E uses one
   * @throws model_invalid, model_files
   */
  static async load(
    { id, files }: Pick<ModelSpec, 'id' | 'files'>,
    vad: VadModel,
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
    if (segmentation === undefined) return new Diarizer(new SlidingVoices(vad, vectors))
    return new Diarizer(new SegmentedVoices(await PyannoteSegmentation.load(id, segmentation, threads), vectors))
  }

  /**
   * The turns of a recording in order; speakers are numbered from 0 in the order of their first turns.
   * @param step runs work that blocks the event loop for milliseconds
   */
  async turns(samples: AsyncIterable<Float32Array>, step: Step): Promise<Turn[]> {
    const analysis = await this.analyser.analyse(samples, step)
    const centroids = await findSpeakers(analysis, this.analyser.rules, step)
    return step(() => orderedTurns(analysis.turns(centroids)))
  }

  release(): Promise<void> {
    return this.analyser.release()
  }
}
