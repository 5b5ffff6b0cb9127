import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { failure, home, inject, injectable, logger, modelSpec, provide, transcription } from '@sallyport/core'
import type { LoadedModel, Logger, ModelBackend, ModelSpec } from '@sallyport/core'
import { FormatError } from '@sallyport/weights'
import { modelFiles } from './estimate.js'
import { convertedModel } from './graph/convert.js'
import type { ConvertedModel } from './graph/convert.js'
import { Engine } from './decode/engine.js'
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
  private engine: Engine | undefined
  private vad: VadModel | undefined
  private diarizer: Diarizer | undefined

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<WhisperOptions>,
    @inject(logger) private readonly logger: Logger,
    @inject(home) private readonly home: string,
  ) {}

  async load(): Promise<LoadedModel> {
    const { id, options } = this.spec
    const threads = options.threads ?? Math.min(maxThreads, availableParallelism())
    const scheduler = new StepScheduler()
    const engine = await this.reportingFormatErrors(() =>
      Engine.load({ id, model: this.convertedModel(), threads, queue: options.queue, scheduler }),
    )
    this.engine = engine
    const { multilingual } = engine
    const vad = (this.vad = await this.loadVad())
    const diarizer = (this.diarizer = await Diarizer.load(this.spec, vad, threads))
    this.logger.debug({ threads, multilingual }, 'weights are loaded')
    const service = new WhisperTranscription({ engine, vad, scheduler, multilingual, diarizer, logger: this.logger })
    return {
      provides: [provide(transcription, service)],
      descriptor: {
        description: multilingual ? `Speech to text in ${engine.languages} languages.` : 'English speech to text.',
      },
    }
  }

  async stop(): Promise<void> {
    const { engine, vad, diarizer } = this
    this.engine = undefined
    this.vad = undefined
    this.diarizer = undefined
    await engine?.release()
    await vad?.release()
    await diarizer?.release()
  }

  /** Converts the model's files to ONNX graphs, once. @throws FormatError, model_files */
  private convertedModel(): ConvertedModel {
    const { options } = this.spec
    return convertedModel(modelFiles(this.spec), options.weights, join(this.home, 'converted'), () =>
      this.logger.info({ weights: options.weights }, 'converting the weights for onnxruntime; this is done once'),
    )
  }

  /** Turns a FormatError into model_invalid. @throws model_invalid, and other errors of the work */
  private async reportingFormatErrors<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work()
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause
      throw failure('model_invalid', { model: this.spec.id, problem: cause.message }, { cause })
    }
  }

  private async loadVad(): Promise<VadModel> {
    const { id, files } = this.spec
    if (files['vad'] !== undefined) return SileroVad.load(id, files['vad'])
    this.logger.warn(
      {},
      'the model has no silero_vad.onnx: all audio that is louder than the noise is treated as speech',
    )
    return energyVad
  }
}
