import { failure } from '@sallyport/core'
import type {
  Call,
  Logger,
  TranscriptionCapability,
  TranscriptionChunk,
  TranscriptionRequest,
  TranscribedWord,
} from '@sallyport/core'
import { openAudio } from './audio/open-audio.js'
import type { Engine } from './decode/engine.js'
import { fromWhisper, languages, toWhisper } from './decode/languages.js'
import { prefetch, sampleRate } from './samples.js'
import { segmentsOf, inRecordingTime } from './segments.js'
import type { Diarizer } from './speakers/diarizer.js'
import { withSpeakers } from './speakers/turns.js'
import type { Turn } from './speakers/turns.js'
import { speechRegions } from './speech/speech-regions.js'
import type { VadModel } from './speech/vad.js'
import type { StepScheduler } from './step-scheduler.js'
import { inRecording, packWindows } from './speech/speech-windows.js'
import type { Window } from './speech/speech-windows.js'

interface TranscriptionParts {
  readonly engine: Engine
  readonly vad: VadModel
  /** Schedules the steps of the searches for speech and speakers, and those of the engine. */
  readonly scheduler: StepScheduler
  readonly multilingual: boolean
  /** Undefined where the model has no files for diarization. */
  readonly diarizer: Diarizer | undefined
  readonly logger: Logger
}

/** Finds speech in a recording and has the model transcribe it. */
export class WhisperTranscription implements TranscriptionCapability {
  constructor(private readonly parts: TranscriptionParts) {}

  async *stream(request: TranscriptionRequest, call: Call): AsyncGenerator<TranscriptionChunk> {
    const { signal } = call
    signal.throwIfAborted()
    const recording = new Recording(request.file, this.languageOf(request), signal)
    // diarization runs before the first segment: speakers are known only after all voices have been analysed
    const turns = request.diarization ? await this.turns(request.file, call) : undefined
    const withWords = request.granularities?.includes('word') ?? false
    for await (const words of this.words(recording, request, call))
      for (const segment of segmentsOf(turns ? withSpeakers(words, turns) : words, withWords)) {
        signal.throwIfAborted()
        yield { segment }
      }
    signal.throwIfAborted()
    yield { language: fromWhisper(recording.language ?? 'en'), duration: recording.seconds }
  }

  /** The speakers' turns, for which the whole file is read once. @throws unsupported */
  private async turns(file: string, call: Call): Promise<Turn[]> {
    const { diarizer, scheduler, logger } = this.parts
    const { signal, requestId } = call
    if (!diarizer) throw diarizationUnsupported()
    const progress = new Progress((minutes) => logger.info({ requestId, minutes }, 'diarization progress'))
    const turns = await diarizer.turns(
      progress.counted(openAudio(file, sampleRate, signal)),
      scheduler.runnerFor('search', call),
    )
    const speakers = new Set(turns.map(({ speaker }) => speaker)).size
    logger.info({ requestId, speakers, turns: turns.length }, 'diarization finished')
    return turns
  }

  /** The words of each window. */
  private async *words(
    recording: Recording,
    request: TranscriptionRequest,
    call: Call,
  ): AsyncGenerator<TranscribedWord[]> {
    const { engine, vad, scheduler, logger } = this.parts
    const { prompt, temperature = 0 } = request
    const progress = new Progress((minutes) =>
      logger.info({ requestId: call.requestId, minutes }, 'transcription progress'),
    )
    let previousTokens: readonly number[] = []
    const regions = speechRegions(recording.samples(), vad.start(), scheduler.runnerFor('search', call))
    for await (const window of prefetch(packWindows(regions))) {
      const { samples } = window
      const { signal, tenant } = call
      const windowRequest = {
        samples,
        language: recording.language,
        prompt,
        previousTokens,
        temperature,
        signal,
        tenant,
      }
      const result = await engine.transcribe(windowRequest)
      recording.language ??= result.language
      previousTokens = result.contextTokens
      yield inRecordingTime(result.words, (start, end) => inRecording(window, start, end))
      progress.update(endSeconds(window))
    }
  }

  /** Whisper's code; undefined where the model is to detect it. @throws unsupported */
  private languageOf({ language }: TranscriptionRequest): string | undefined {
    if (language === undefined) return this.parts.multilingual ? undefined : 'en'
    const code = toWhisper(language)
    if (code === undefined)
      throw languageUnsupported(`"${language}" is unknown; the languages are: ${languages.join(', ')}`)
    if (code !== 'en' && !this.parts.multilingual)
      throw languageUnsupported(`this model knows only English (en), not "${language}"`)
    return code
  }
}

const diarizationUnsupported = () =>
  failure('unsupported', {
    field: 'diarization',
    problem:
      'this model has no file for diarization: give it one with the name "speakers", as the models of the catalogue have',
  })

const languageUnsupported = (problem: string) => failure('unsupported', { field: 'language', problem })

/** Seconds from the beginning of the recording. */
const endSeconds = ({ parts }: Window): number => {
  const last = parts.at(-1)
  return last ? (last.start + last.length) / sampleRate : 0
}

/** A file, with its language and length as far as they are known. */
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

/** Minutes of audio between two lines of the log. */
const minutesPerReport = 5

/** Reports the progress in a recording at intervals. */
class Progress {
  private reported = 0

  constructor(private readonly report: (minutes: number) => void) {}

  /** @param seconds from the beginning of the recording */
  update(seconds: number): void {
    const minutes = Math.floor(seconds / 60)
    if (minutes < this.reported + minutesPerReport) return
    this.reported = minutes
    this.report(minutes)
  }

  /** Passes samples on and reports the progress. */
  async *counted(blocks: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
    let count = 0
    for await (const samples of blocks) {
      yield samples
      count += samples.length
      this.update(count / sampleRate)
    }
  }
}
