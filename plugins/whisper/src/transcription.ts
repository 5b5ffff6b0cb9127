import { failure } from '@sallyport/core'
import type {
  Call,
  Logger,
  TranscriptionCapability,
  TranscriptionChunk,
  TranscriptionRequest,
  TranscribedWord,
} from '@sallyport/core'
import { ahead } from './ahead.js'
import { openAudio } from './audio/open-audio.js'
import { sampleRate } from './model/engine.js'
import type { Engine } from './model/engine.js'
import { fromWhisper, languages, toWhisper } from './model/languages.js'
import { segmentsOf, spokenWords } from './segments.js'
import { speechStretches } from './speech/stretches.js'
import type { VoiceModel } from './speech/voice.js'
import { inRecording, packWindows } from './speech/windows.js'
import type { Window } from './speech/windows.js'

export interface TranscriptionParts {
  readonly engine: Engine
  readonly voices: VoiceModel
  readonly multilingual: boolean
  readonly logger: Logger
}

/** Minutes of sound between two lines of the log. */
const logEvery = 5

/** Finds where somebody speaks, and has the model write down what. */
export class WhisperTranscription implements TranscriptionCapability {
  constructor(private readonly parts: TranscriptionParts) {}

  async *stream(request: TranscriptionRequest, call: Call): AsyncGenerator<TranscriptionChunk> {
    const { signal } = call
    signal.throwIfAborted()
    if (request.diarization)
      throw failure('unsupported', { field: 'diarization', problem: 'this model does not tell speakers apart' })
    const recording = new Recording(request.file, this.languageOf(request), signal)
    const withWords = request.granularities?.includes('word') ?? false
    for await (const words of this.words(recording, request, call))
      for (const segment of segmentsOf(words, withWords)) {
        signal.throwIfAborted()
        yield { segment }
      }
    signal.throwIfAborted()
    yield { language: fromWhisper(recording.language ?? 'en'), duration: recording.seconds }
  }

  /** What is said in each window. */
  private async *words(
    recording: Recording,
    request: TranscriptionRequest,
    call: Call,
  ): AsyncGenerator<TranscribedWord[]> {
    const { engine, voices, logger } = this.parts
    const { prompt, temperature = 0 } = request
    let before: readonly number[] = []
    let logged = 0
    for await (const window of ahead(packWindows(speechStretches(recording.samples(), voices.start())))) {
      const { samples } = window
      const { signal } = call
      const asked = { samples, language: recording.language, prompt, before, temperature, signal }
      const result = await engine.transcribe(asked)
      recording.language ??= result.language
      before = result.tokens
      yield spokenWords(result.words, (start, end) => inRecording(window, start, end))
      const minutes = Math.floor(endOf(window) / 60)
      if (minutes < logged + logEvery) continue
      logged = minutes
      logger.info({ requestId: call.requestId, minutes }, 'transcribed so far')
    }
  }

  /** Whisper's code; undefined where it is to be found out. @throws unsupported */
  private languageOf({ language }: TranscriptionRequest): string | undefined {
    if (language === undefined) return this.parts.multilingual ? undefined : 'en'
    const code = toWhisper(language)
    if (code === undefined) throw unknownLanguage(`"${language}" is unknown; there are: ${languages.join(', ')}`)
    if (code !== 'en' && !this.parts.multilingual)
      throw unknownLanguage(`this model knows English (en) only, and not "${language}"`)
    return code
  }
}

const unknownLanguage = (problem: string) => failure('unsupported', { field: 'language', problem })

/** Seconds from the beginning of the recording. */
const endOf = ({ pieces }: Window): number => {
  const last = pieces.at(-1)
  return last ? (last.start + last.length) / sampleRate : 0
}

/** A file, and what becomes known of it while it is read. */
class Recording {
  private count = 0

  constructor(
    private readonly file: string,
    /** Whisper's code, once it is known. */
    public language: string | undefined,
    private readonly signal: AbortSignal,
  ) {}

  get seconds(): number {
    return this.count / sampleRate
  }

  async *samples(): AsyncGenerator<Float32Array> {
    for await (const samples of openAudio(this.file, sampleRate, this.signal)) {
      this.count += samples.length
      yield samples
    }
  }
}
