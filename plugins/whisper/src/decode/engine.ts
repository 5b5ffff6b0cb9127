import { dirname } from 'node:path'
import { Slots, untilAborted } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import type { ConvertedModel } from '../graph/convert.js'
import { sampleRate } from '../samples.js'
import { Session } from '../session.js'
import type { RunStep, StepScheduler } from '../step-scheduler.js'
import { Decoder } from './decoder.js'
import { Transcriber } from './transcriber.js'
import type { DecodingContext } from './transcriber.js'
import { Tokenizer } from './tokenizer.js'
import type { Word } from './words.js'

/** Samples for one position of the encoder. */
const samplesPerPosition = 320
/**
 * Seconds of silence after the audio, up to the 30 seconds that the model was trained with. In our measurements it got
 * hardly anything right with 1 second, and failed on faint speech with 3; 6 were as good as 30.
 */
const paddingSeconds = 6

interface EngineOptions {
  readonly id: string
  readonly model: ConvertedModel
  readonly threads: number
  /** Requests that may wait for the model; further ones are refused as overloaded. */
  readonly queue: number
  readonly scheduler: StepScheduler
}

interface WindowRequest extends Requester, DecodingContext {
  /** Samples of at most 30 seconds. */
  readonly samples: Float32Array
  /** Whisper's code; undefined where the model is to detect it. */
  readonly language: string | undefined
}

interface WindowResult {
  /** Whisper's code. */
  readonly language: string
  /** Times in seconds from the beginning of the window. */
  readonly words: readonly Word[]
  /** Those for the next window. */
  readonly previousTokens: readonly number[]
}

/** One Whisper model, which transcribes one window at a time; requests take turns between windows. */
export class Engine {
  private readonly slots: Slots

  private constructor(
    private readonly encoder: Session,
    private readonly decoder: Session,
    private readonly transcriber: Transcriber,
    private readonly options: EngineOptions,
  ) {
    this.slots = new Slots(1, options.queue)
  }

  /** @throws model_invalid, FormatError */
  static async load(options: EngineOptions): Promise<Engine> {
    const { id, model, threads } = options
    const tokenizer = new Tokenizer(model.vocabulary, model.dimensions.vocabularySize)
    const problem = `onnxruntime cannot load the converted weights: remove the folder ${dirname(model.encoderPath)}`
    const open = (graph: string) => Session.open({ model: id, graph, threads, problem })
    const [encoder, decoder] = [await open(model.encoderPath), await open(model.decoderPath)]
    return new Engine(encoder, decoder, new Transcriber(tokenizer, model.dimensions.contextLength), options)
  }

  get multilingual(): boolean {
    return this.transcriber.tokenizer.multilingual
  }

  /** The number of languages that the model knows. */
  get languages(): number {
    return this.transcriber.tokenizer.languages.length
  }

  /** The computation ends with the running step after an abort. @throws overloaded; the signal's reason, at once */
  async transcribe(request: WindowRequest): Promise<WindowResult> {
    return untilAborted(
      this.slots.run(request, () => this.run(request)),
      request.signal,
    )
  }

  async release(): Promise<void> {
    await this.encoder.release()
    await this.decoder.release()
  }

  private async run(request: WindowRequest): Promise<WindowResult> {
    const { samples } = request
    const runStep = this.options.scheduler.runnerFor('window', request)
    let { language, previousTokens } = request
    const words: Word[] = []
    for (let from = 0; from < samples.length;) {
      const rest = samples.subarray(from)
      const decoder = await this.encode(rest, runStep)
      language ??= await this.transcriber.detectLanguage(decoder)
      const seconds = rest.length / sampleRate
      const result = await this.transcriber.transcribe({ ...request, decoder, seconds, language, previousTokens })
      const shift = from / sampleRate
      for (const word of result.words) words.push({ ...word, start: word.start + shift, end: word.end + shift })
      previousTokens = result.previousTokens
      from += Math.round(result.until * sampleRate)
    }
    return { language: language ?? 'en', words, previousTokens }
  }

  private async encode(samples: Float32Array, runStep: RunStep): Promise<Decoder> {
    const { encoder, decoder } = this
    const { dimensions } = this.options.model
    const positions = Math.ceil((samples.length + paddingSeconds * sampleRate) / samplesPerPosition)
    const padded = new Float32Array(samplesPerPosition * Math.min(positions, dimensions.positions))
    padded.set(samples)
    const encoded = await runStep(() => encoder.run({ samples: encoder.floats(padded, 1, 1, padded.length) }))
    return new Decoder(decoder, dimensions, runStep, encoded)
  }
}
