import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { failure, home, inject, injectable, logger, modelSpec, provide, transcription } from '@sallyport/core'
import type { LoadedModel, Logger, ModelBackend, ModelSpec } from '@sallyport/core'
import { FormatError, ggmlOf } from './convert/index.js'
import { modelFile } from './estimate.js'
import { Engine } from './model/engine.js'
import { isMultilingual } from './model/multilingual.js'
import type { WhisperOptions } from './options.js'
import { loudness } from './speech/loudness.js'
import { SileroModel } from './speech/silero.js'
import type { VoiceModel } from './speech/voice.js'
import type { Diarizer } from './speakers/diarizer.js'
import { loadDiarizer } from './speakers/load.js'
import { WhisperTranscription } from './transcription.js'

/** More threads than these make a small model no faster. */
const mostThreads = 8

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
    const path = this.weights()
    const multilingual = isMultilingual(path)
    const voices = (this.voices = await this.loadVoices())
    const threads = options.threads ?? Math.min(mostThreads, availableParallelism())
    const diarizer = (this.diarizer = await loadDiarizer(this.spec, voices, threads))
    const engine = await Engine.load({ id, path, threads, queue: options.queue, logger: this.logger })
    this.engine = engine
    this.logger.info({ threads, multilingual }, 'weights are loaded')
    const service = new WhisperTranscription({ engine, voices, multilingual, diarizer, logger: this.logger })
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

  /** A file that whisper.cpp reads. @throws model_invalid, model_files */
  private weights(): string {
    const { id, files, options } = this.spec
    const from = { model: modelFile(this.spec), vocabulary: files['vocabulary.txt'] }
    try {
      return ggmlOf(from, options.weights, join(this.home, 'converted'), () =>
        this.logger.info({ weights: options.weights }, 'the weights are converted for whisper.cpp, once'),
      )
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause
      throw failure('model_invalid', { model: id, problem: cause.message }, { cause })
    }
  }

  private async loadVoices(): Promise<VoiceModel> {
    const { id, files } = this.spec
    if (files['vad'] !== undefined) return SileroModel.load(id, files['vad'])
    this.logger.warn({}, 'the model has no silero_vad.onnx: whatever is louder than the noise is taken for speech')
    return loudness
  }
}
