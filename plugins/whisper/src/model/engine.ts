import { failure } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import { loadLibrary } from './library.js'
import type { Context, NativeResult } from './library.js'
import { Turns } from './turns.js'
import { wordsOf } from './words.js'
import type { Word } from './words.js'

/** Samples per second of all that models are given. */
export const sampleRate = 16_000

export interface EngineOptions {
  readonly id: string
  /** In ggml's format. */
  readonly path: string
  readonly threads: number
  /** Requests that may wait for the model. */
  readonly queue: number
  readonly logger: Logger
}

export interface WindowRequest {
  /** At most 30 seconds. */
  readonly samples: Float32Array
  /** As whisper.cpp writes it; `auto` for detection. */
  readonly language: string
  readonly prompt: string | undefined
  readonly temperature: number
  readonly signal: AbortSignal
}

export interface WindowResult {
  /** As whisper.cpp writes it. */
  readonly language: string
  /** Times in seconds from the beginning of the window. */
  readonly words: readonly Word[]
}

/** One model of whisper.cpp, which takes a window of speech at a time. */
export class Engine {
  private readonly turns: Turns

  private constructor(
    private readonly context: Context,
    private readonly options: EngineOptions,
  ) {
    this.turns = new Turns(options.queue)
  }

  /** @throws model_invalid */
  static async load(options: EngineOptions): Promise<Engine> {
    const library = loadLibrary()
    // without a listener it writes to standard error
    library.addNativeLogListener((level, text) => options.logger.debug({ level }, text.trim()))
    await library.toggleNativeLog(true)
    try {
      return new Engine(
        await library.initWhisper({ filePath: options.path, useGpu: false, useFlashAttn: true }),
        options,
      )
    } catch (cause) {
      throw failure('model_invalid', { model: options.id, problem: 'whisper.cpp cannot read its weights' }, { cause })
    }
  }

  /**
   * The model is free again when a window that was given up has been computed: the native call cannot be stopped.
   * @throws overloaded, and the signal's reason
   */
  async transcribe(request: WindowRequest): Promise<WindowResult> {
    const {
      result,
      language = request.language,
      segments,
    } = await this.turns.take(request.signal, () => this.run(request))
    return { language, words: wordsOf(result, segments, language) }
  }

  release(): Promise<void> {
    return this.context.release()
  }

  /**
   * The library's promise stays open for ever when the native call fails. What is asked behind it is answered in order
   * in a pool of one thread, so an answer to that says that there will be none.
   */
  private run({ samples, language, prompt, temperature }: WindowRequest): Promise<NativeResult> {
    const { threads: maxThreads, id } = this.options
    const words = { tokenTimestamps: true, maxLen: 1 }
    const asked = { ...words, language, temperature, maxThreads, ...(prompt ? { prompt } : {}) }
    const { promise } = this.context.transcribeData(toPcm(samples), asked)
    if (!singleThread) return promise
    const behind = this.context.transcribeData(new ArrayBuffer(0), { language: 'en' }).promise
    return Promise.race([
      promise,
      behind.then(() => {
        throw failure('model_unavailable', { model: id, problem: 'it could not compute a part of the file' })
      }),
    ])
  }
}

/** False where a model runs in the kernel's process. */
const singleThread = process.env['UV_THREADPOOL_SIZE'] === '1'

const toPcm = (samples: Float32Array): ArrayBuffer => {
  const pcm = new Int16Array(samples.length)
  for (let index = 0; index < samples.length; index += 1)
    pcm[index] = Math.round(32_767 * Math.max(-1, Math.min(1, samples[index] ?? 0)))
  return pcm.buffer
}
