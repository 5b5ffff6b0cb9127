import { failure } from '@sallyport/core'
import type { ModelSpec } from '@sallyport/core'
import type { VadModel } from '../speech/vad.js'
import type { RunStep } from '../step-scheduler.js'
import { findSpeakers } from './find-speakers.js'
import { Ge2eEmbedder } from './ge2e-embedder.js'
import { SlidingVoices } from './sliding-voices.js'
import { OnnxEmbedder } from './onnx-embedder.js'
import { PyannoteSegmentation } from './pyannote-segmentation.js'
import { SegmentedVoices } from './segmented-voices.js'
import { orderedTurns } from './turns.js'
import type { Turn } from './turns.js'
import type { VoiceAnalyser, SpeakerEmbedder } from './speaker-embedder.js'

/** Speaker diarization: who speaks when. */
export class Diarizer {
  constructor(readonly analyser: VoiceAnalyser) {}

  /**
   * Loads a diarizer from the model's files; undefined where it has no such files.
   * @param threads for ONNX models; GE2E uses one
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
        'it has a file for segmentation, but none with the name "speakers", whose embeddings distinguish voices'
      throw failure('model_files', { model: id, problem })
    }
    const embedder: SpeakerEmbedder = speakers.endsWith('.onnx')
      ? await OnnxEmbedder.load(id, speakers, threads)
      : await Ge2eEmbedder.load(id, speakers)
    if (segmentation === undefined) return new Diarizer(new SlidingVoices(vad, embedder))
    return new Diarizer(new SegmentedVoices(await PyannoteSegmentation.load(id, segmentation, threads), embedder))
  }

  /**
   * The turns of a recording in order; speakers are numbered from 0 in the order of their first turns.
   * @param runStep runs work that blocks the event loop for milliseconds
   */
  async turns(samples: AsyncIterable<Float32Array>, runStep: RunStep): Promise<Turn[]> {
    const analysis = await this.analyser.analyse(samples, runStep)
    const centroids = await findSpeakers(analysis, this.analyser.options, runStep)
    return runStep(() => orderedTurns(analysis.turns(centroids)))
  }

  release(): Promise<void> {
    return this.analyser.release()
  }
}
