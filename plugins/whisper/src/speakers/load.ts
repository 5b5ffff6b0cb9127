import { failure } from '@sallyport/core'
import type { ModelSpec } from '@sallyport/core'
import type { VoiceModel } from '../speech/voice.js'
import type { Diarizer } from './diarizer.js'
import { Ge2eVectors } from './ge2e-vectors.js'
import { GlidingDiarizer } from './gliding-diarizer.js'
import { HubVectors } from './hub-vectors.js'
import { PyannoteSegmentation } from './pyannote-segmentation.js'
import { SegmentedDiarizer } from './segmented-diarizer.js'
import type { VoiceVectors } from './voice-vectors.js'

/**
 * What tells speakers apart with the files of a model; undefined where it has none for that.
 * @param threads for models of the hub; GE2E needs one
 * @throws model_invalid, model_files
 */
export const loadDiarizer = async (
  { id, files }: Pick<ModelSpec, 'id' | 'files'>,
  voices: VoiceModel,
  threads: number,
): Promise<Diarizer | undefined> => {
  const { speakers, segmentation } = files
  if (speakers === undefined) {
    if (segmentation === undefined) return undefined
    const problem = 'it has a file for segmentation, but none with the name "speakers", whose vectors tell voices apart'
    throw failure('model_files', { model: id, problem })
  }
  const vectors = await loadVectors(id, speakers, threads)
  if (segmentation === undefined) return new GlidingDiarizer(voices, vectors)
  return new SegmentedDiarizer(await PyannoteSegmentation.load(id, segmentation, threads), vectors)
}

const loadVectors = (model: string, path: string, threads: number): Promise<VoiceVectors> =>
  path.endsWith('.onnx') ? HubVectors.load(model, path, threads) : Ge2eVectors.load(model, path)
