import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { home, inject, injectable, logger, modelSpec, provide, transcription } from '@sallyport/core'
import type { LoadedModel, Logger, ModelBackend, ModelSpec } from '@sallyport/core'
import { modelFiles } from './estimate.js'
import { convertedModel } from './graph/convert.js'
import type { ConvertedModel } from './graph/convert.js'
import { Engine } from './decode/engine.js'
import { reportingFormatErrors } from './session.js'
import { StepScheduler } from './step-scheduler.js'
import type { WhisperOptions } from './options.js'
import { SileroVad } from './speech/silero.js'
import { energyVad } from './speech/vad.js'
import type { VadModel } from './speech/vad.js'
import { Diarizer } from './speakers/diarizer.js'
import { WhisperTranscription } from './transcription.js'

/** Small models get no faster with more threads. */
const maxThreads = 8

/** Loads a Whisper model with its voice activity detection and, where it has the files, diarization. */
@injectable()
export class WhisperBackend implements ModelBackend {
  private readonly loaded: { release(): Promise<void> }[] = []

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<WhisperOptions>,
    @inject(logger) private readonly logger: Logger,
    @inject(home) private readonly home: string,
  ) {}

  async load(): Promise<LoadedModel> {
    const { id, options } = this.spec
    const threads = options.threads ?? Math.min(maxThreads, availableParallelism())
    const scheduler = new StepScheduler()
    const engine = await reportingFormatErrors(id, '', () =>
      Engine.load({ id, model: this.convertedModel(), threads, queue: options.queue, scheduler }),
    )
    this.loaded.push(engine)
    const vad = await this.loadVad()
    this.loaded.push(vad)
    const diarizer = await Diarizer.load(this.spec, vad, threads)
    if (diarizer) this.loaded.push(diarizer)
    const { multilingual, languages } = engine
    this.logger.debug({ threads, multilingual }, 'weights are loaded')
    const service = new WhisperTranscription({ engine, vad, scheduler, diarizer, logger: this.logger })
    const description = multilingual ? `Speech to text in ${languages} languages.` : 'English speech to text.'
    return { provides: [provide(transcription, service)], descriptor: { description } }
  }

  async stop(): Promise<void> {
    for (const each of this.loaded.splice(0)) await each.release()
  }

  /** Converts the model's files to ONNX graphs, once. @throws FormatError, model_files */
  private convertedModel(): ConvertedModel {
    const { options } = this.spec
    return convertedModel(modelFiles(this.spec), options.weights, join(this.home, 'converted'), () =>
      this.logger.info({ weights: options.weights }, 'converting the weights for onnxruntime; this is done once'),
    )
  }

  private async loadVad(): Promise<VadModel> {
    const { id, files } = this.spec
    if (files['vad'] !== undefined) return SileroVad.load(id, files['vad'])
    this.logger.warn({}, 'the model has no silero_vad.onnx: all audio louder than the noise is treated as speech')
    return energyVad
  }
}
