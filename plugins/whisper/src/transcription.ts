import { failure } from '@sallyport/core'
import type { Call, Logger, TranscribedWord, TranscriptionCapability } from '@sallyport/core'
import type { TranscriptionChunk, TranscriptionRequest } from '@sallyport/core'
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
    const recording = { language: this.languageOf(request), seconds: 0 }
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
    if (!diarizer) throw unsupported('diarization', noDiarizer)
    const samples = samplesOf(file, signal, progressLog(logger, requestId, 'diarization progress'))
    const turns = await diarizer.turns(samples, scheduler.runnerFor('search', call))
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
    const { file, prompt, temperature = 0 } = request
    const { signal, tenant, requestId } = call
    const logProgress = progressLog(logger, requestId, 'transcription progress')
    let previousTokens: readonly number[] = []
    const all = samplesOf(file, signal, (seconds) => (recording.seconds = seconds))
    const regions = speechRegions(all, vad.start(), scheduler.runnerFor('search', call))
    for await (const window of prefetch(packWindows(regions))) {
      const { samples } = window
      const { language } = recording
      const context = { prompt, previousTokens, temperature, signal }
      const result = await engine.transcribe({ samples, language, tenant, ...context })
      recording.language ??= result.language
      previousTokens = result.previousTokens
      yield inRecordingTime(result.words, (start, end) => inRecording(window, start, end))
      logProgress(endSeconds(window))
    }
  }

  /** Whisper's code; undefined where the model is to detect it. @throws unsupported */
  private languageOf({ language }: TranscriptionRequest): string | undefined {
    const { multilingual } = this.parts.engine
    if (language === undefined) return multilingual ? undefined : 'en'
    const code = toWhisper(language)
    if (code === undefined)
      throw unsupported('language', `"${language}" is unknown; the languages are: ${languages.join(', ')}`)
    if (code !== 'en' && !multilingual)
      throw unsupported('language', `this model knows only English (en), not "${language}"`)
    return code
  }
}

const unsupported = (field: string, problem: string) => failure('unsupported', { field, problem })

const noDiarizer =
  'this model has no file for diarization: give it one with the name "speakers", as the models of the catalogue have'

/** Seconds from the beginning of the recording. */
const endSeconds = ({ parts }: Window): number => {
  const last = parts.at(-1)
  return last ? (last.start + last.length) / sampleRate : 0
}

/** What is known of a recording so far. */
interface Recording {
  /** Whisper's code. */
  language: string | undefined
  seconds: number
}

/** The samples of a file. @param onProgress called before each block, with the seconds up to its end */
async function* samplesOf(
  file: string,
  signal: AbortSignal,
  onProgress: (seconds: number) => void,
): AsyncGenerator<Float32Array> {
  let count = 0
  for await (const samples of openAudio(file, sampleRate, signal)) {
    count += samples.length
    onProgress(count / sampleRate)
    yield samples
  }
}

/** Minutes of audio between two lines of the log. */
const minutesPerReport = 5

/** Logs at intervals how far a recording has been processed. */
const progressLog = (logger: Logger, requestId: string, message: string) => {
  let logged = 0
  return (seconds: number): void => {
    const minutes = Math.floor(seconds / 60)
    if (minutes < logged + minutesPerReport) return
    logged = minutes
    logger.info({ requestId, minutes }, message)
  }
}
