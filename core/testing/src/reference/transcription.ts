import { inject, injectable } from 'tsyringe'
import { failure, options } from '@sallyport/core'
import type { Call, TranscriptionCapability, TranscriptionChunk, TranscriptionRequest } from '@sallyport/core'
import { pause } from './backend.js'
import type { ReferenceOptions } from './backend.js'
import { readWav } from './wav.js'
import type { Sound } from './wav.js'

/** Transcribes each stretch of sound between two silences by its loudness, as "loud", "fair" or "soft". */
@injectable()
export class LoudnessTranscription implements TranscriptionCapability {
  constructor(@inject(options) private readonly options: ReferenceOptions) {}

  async *stream(request: TranscriptionRequest, call: Call): AsyncGenerator<TranscriptionChunk> {
    call.signal.throwIfAborted()
    const { file, language = 'en', granularities = [], diarization = false } = request
    if (language !== 'en') throw failure('unsupported', { field: 'language', problem: 'this model knows only en' })
    const sound = await readWav(file)
    let space = ''
    const speakers: boolean[] = []
    for (const { start, end, level } of stretches(sound)) {
      await pause(this.options, call)
      const word = {
        text: space + nameOf(level),
        start,
        end,
        ...(diarization ? { speaker: speakerOf(level, speakers) } : {}),
      }
      yield { segment: granularities.includes('word') ? { ...word, words: [word] } : word }
      space = ' '
    }
    call.signal.throwIfAborted()
    yield { language, duration: sound.samples.length / sound.rate }
  }
}

interface Stretch {
  /** Seconds. */
  start: number
  end: number
  /** Root mean square of its loudest frame, 0..1. */
  level: number
}

const silence = 0.01
const frameLength = 0.02

/** Runs of frames that are not silent. */
function* stretches({ rate, samples }: Sound): Generator<Stretch> {
  const size = Math.max(1, Math.floor(rate * frameLength))
  let open: Stretch | undefined
  for (let at = 0; at < samples.length; at += size) {
    const frame = samples.subarray(at, at + size)
    const level = Math.sqrt(frame.reduce((sum, value) => sum + value * value, 0) / frame.length)
    if (level >= silence) {
      open ??= { start: at / rate, end: 0, level: 0 }
      open.end = (at + frame.length) / rate
      open.level = Math.max(open.level, level)
    } else if (open) {
      yield open
      open = undefined
    }
  }
  if (open) yield open
}

const nameOf = (level: number) => (level > 0.4 ? 'loud' : level > 0.15 ? 'fair' : 'soft')

/**
 * Loud stretches count as one speaker's, all others as another's.
 * @param speakers those heard so far, whether they are the loud one, in their order; a new one is added
 */
const speakerOf = (level: number, speakers: boolean[]): string => {
  const isLoud = level > 0.4
  if (!speakers.includes(isLoud)) speakers.push(isLoud)
  return `SPEAKER_0${speakers.indexOf(isLoud)}`
}
