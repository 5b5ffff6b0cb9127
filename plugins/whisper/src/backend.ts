import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { failure, home, inject, injectable, logger, modelSpec, provide, transcription } from '@sallyport/core'
import type { LoadedModel, Logger, ModelBackend, ModelSpec } from '@sallyport/core'
import { FormatError } from '@sallyport/weights'
import { modelFiles } from './estimate.js'
import { convertedModel } from './graph/convert.js'
import type { ConvertedModel } from './graph/convert.js'
import { Engine } from './decode/engine.js'
import { StepGate } from './step-gate.js'
import type { WhisperOptions } from './options.js'
import { SileroModel } from './speech/silero.js'
import { loudness } from './speech/voice.js'
import type { VoiceModel } from './speech/voice.js'
import { Diarizer } from './speakers/diarizer.js'
import { WhisperTranscription } from './transcription.js'

/** More threads than these make a small model no faster. */
const maxThreads = 8

/** A Whisper model, with what finds speech in sound. */
@injectable()
export class WhisperBackend implements ModelBackend {
  private engine: Engine | undefined
  private voices: VoiceModel | undefined
  private diarizer: Diarizer | undefined

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<WhisperOptions>,
    @inject(logger) private readonly logger: Logger,
    @inject(home) private readonly home: string,
  ) {}

  async load(): Promise<LoadedModel> {
    const { id, options } = this.spec
    const threads = options.threads ?? Math.min(maxThreads, availableParallelism())
    const gate = new StepGate()
    const engine = await this.checked(() =>
      Engine.load({ id, model: this.converted(), threads, queue: options.queue, gate }),
    )
    this.engine = engine
    const { multilingual } = engine
    const voices = (this.voices = await this.loadVoices())
    const diarizer = (this.diarizer = await Diarizer.load(this.spec, voices, threads))
    this.logger.debug({ threads, multilingual }, 'weights are loaded')
    const service = new WhisperTranscription({ engine, voices, gate, multilingual, diarizer, logger: this.logger })
    return {
      provides: [provide(transcription, service)],
      descriptor: { description: multilingual ? 'Speech to text in 99 languages.' : 'English speech to text.' },
    }
  }

  async stop(): Promise<void> {
    const { engine, voices, diarizer } = this
    this.engine = undefined
    this.voices = undefined
    this.diarizer = undefined
    await engine?.release()
    await voices?.release()
    await diarizer?.release()
  }

  /** The model's graphs, made of its files. @throws FormatError, model_files */
  private converted(): ConvertedModel {
    const { options } = this.spec
    return convertedModel(modelFiles(this.spec), options.weights, join(this.home, 'converted'), () =>
      this.logger.info({ weights: options.weights }, 'the weights are converted for onnxruntime, once'),
    )
  }

  /** @throws model_invalid where the work finds that files are not in order */
  private async checked<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work()
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause
      throw failure('model_invalid', { model: this.spec.id, problem: cause.message }, { cause })
    }
  }

  private async loadVoices(): Promise<VoiceModel> {
    const { id, files } = this.spec
    if (files['vad'] !== undefined) return SileroModel.load(id, files['vad'])
    this.logger.warn({}, 'the model has no silero_vad.onnx: whatever is louder than the noise is taken for speech')
    return loudness
  }
}
