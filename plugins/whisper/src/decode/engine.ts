import { dirname } from 'node:path'
import { Slots, untilAborted } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import type { ConvertedModel } from '../graph/convert.js'
import { sampleRate } from '../samples.js'
import { Session } from '../session.js'
import type { Step, StepGate } from '../step-gate.js'
import { Decoder } from './decoder.js'
import { Transcriber } from './transcriber.js'
import { Vocabulary } from './vocabulary.js'
import type { Word } from './words.js'

/** Samples for one position of the encoder. */
const samplesPerPosition = 320
/**
 * Seconds of silence after the audio, up to the 30 seconds that the model was trained with. With 1 second it gets hardly
 * anything right, with 3 it fails on faint speech, and 6 were as good as 30.
 */
const paddingSeconds = 6

interface EngineOptions {
  readonly id: string
  readonly model: ConvertedModel
  readonly threads: number
  /** Requests that may wait for the model. */
  readonly queue: number
  readonly gate: StepGate
}

interface WindowRequest extends Requester {
  /** Samples of at most 30 seconds. */
  readonly samples: Float32Array
  /** Whisper's code; undefined where the model is to detect it. */
  readonly language: string | undefined
  readonly prompt: string | undefined
  /** Tokens of the text of the previous window. */
  readonly previousTokens: readonly number[]
  readonly temperature: number
}

interface WindowResult {
  /** Whisper's code. */
  readonly language: string
  /** Times in seconds from the beginning of the window. */
  readonly words: readonly Word[]
  /** The context of the next window. */
  readonly tokens: readonly number[]
}

/** One Whisper model, which transcribes one window at a time; requests take turns between windows. */
export class Engine {
  private readonly turns: Slots

  private constructor(
    private readonly encoder: Session,
    private readonly decoder: Session,
    private readonly transcriber: Transcriber,
    private readonly options: EngineOptions,
  ) {
    this.turns = new Slots(1, options.queue)
  }

  /** @throws model_invalid, FormatError */
  static async load(options: EngineOptions): Promise<Engine> {
    const { id, model, threads } = options
    const vocabulary = new Vocabulary(model.vocabulary, model.shape.vocabulary)
    const problem = `onnxruntime cannot load what was made of its weights: remove the folder ${dirname(model.encoder)}`
    const open = (graph: string) => Session.open({ model: id, graph, threads, problem })
    const [encoder, decoder] = [await open(model.encoder), await open(model.decoder)]
    return new Engine(encoder, decoder, new Transcriber(vocabulary, model.shape.tokens), options)
  }

  get multilingual(): boolean {
    return this.transcriber.vocabulary.multilingual
  }

  /** @throws overloaded; the signal's reason, after the running step */
  async transcribe(request: WindowRequest): Promise<WindowResult> {
    return untilAborted(
      this.turns.run(request, () => this.run(request)),
      request.signal,
    )
  }

  async release(): Promise<void> {
    await this.encoder.release()
    await this.decoder.release()
  }

  private async run(window: WindowRequest): Promise<WindowResult> {
    const { samples, signal, ...request } = window
    const step = this.options.gate.of('window', window)
    let { language, previousTokens } = request
    const words: Word[] = []
    for (let from = 0; from < samples.length;) {
      const rest = samples.subarray(from)
      const decoder = await this.encode(rest, step)
      language ??= await this.transcriber.language(decoder)
      const seconds = rest.length / sampleRate
      const text = await this.transcriber.transcribe({ ...request, decoder, seconds, language, previousTokens, signal })
      const shift = from / sampleRate
      for (const word of text.words) words.push({ ...word, start: word.start + shift, end: word.end + shift })
      previousTokens = text.tokens
      from += Math.round(text.until * sampleRate)
    }
    return { language: language ?? 'en', words, tokens: previousTokens }
  }

  private async encode(samples: Float32Array, step: Step): Promise<Decoder> {
    const { encoder, decoder } = this
    const { shape } = this.options.model
    const places = Math.ceil((samples.length + paddingSeconds * sampleRate) / samplesPerPosition)
    const padded = new Float32Array(samplesPerPosition * Math.min(places, shape.positions))
    padded.set(samples)
    const encoded = await step(() => encoder.run({ samples: encoder.floats(padded, 1, 1, padded.length) }))
    return new Decoder(decoder, shape, step, encoded)
  }
}
