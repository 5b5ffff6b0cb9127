import { appendFile, readFile } from 'node:fs/promises'
import { transcription, isSallyportError } from '@sallyport/core'
import type {
  TranscribedSegment,
  TranscriptionCapability,
  TranscriptionChunk,
  TranscriptionRequest,
} from '@sallyport/core'
import { sampleFile } from '../../../src/conformance/samples.js'
import { truncatedWav, tonesWav } from '../../../src/conformance/audio.js'
import { references } from '../../reference/references.js'
import { plant } from '../plant.js'
import { asked, said, saidAtOnce, streamFaults, streaming } from './streams.js'

const changeSegments = (change: (segment: TranscribedSegment) => TranscribedSegment) =>
  said<TranscriptionRequest, TranscriptionChunk>((chunk) => [
    'segment' in chunk ? { segment: change(chunk.segment) } : chunk,
  ])

/** Instead of a refusal, an answer that nothing was said. */
const answeringInstead = () =>
  streaming<TranscriptionRequest, TranscriptionChunk>(
    (inner) =>
      async function* (request, call) {
        try {
          yield* inner(request, call)
        } catch (error) {
          if (!isSallyportError(error)) throw error
          yield { language: 'en', duration: 0 }
        }
      },
  )

export const transcriptionFaults = plant<TranscriptionCapability>({
  capability: transcription,
  ...references.transcription,
  faults: {
    ...streamFaults<TranscriptionRequest, TranscriptionChunk>((chunk, times) =>
      'segment' in chunk ? { segment: { ...chunk.segment, text: `${times}` } } : chunk,
    ),
    'segments come in order, then the language and the duration, once': saidAtOnce((chunks) => [
      ...chunks.slice(0, -1).reverse(),
      ...chunks.slice(-1),
    ]),
    'the duration is that of the file, whatever its format': streaming(
      (inner) =>
        async function* (request, call) {
          const bytes = await readFile(request.file)
          for await (const chunk of inner(request, call))
            yield 'segment' in chunk ? chunk : { ...chunk, duration: (bytes.length - 44) / 32_000 }
        },
    ),
    'silence says nothing': said((chunk, _, position) =>
      position === 0 && 'duration' in chunk ? [{ segment: { text: 'Thank you.', start: 0, end: 2 } }, chunk] : [chunk],
    ),
    'spoken words are transcribed': changeSegments((segment) => ({ ...segment, text: 'music' })),
    'words come when asked for, within their segment': changeSegments(({ words = [], ...segment }) => ({
      ...segment,
      words: words.map((word) => ({ ...word, start: word.start - segment.start, end: word.end - segment.start })),
    })),
    'speakers have numbered labels, or diarization is refused with unsupported': changeSegments((segment) => ({
      ...segment,
      ...(segment.speaker ? { speaker: 'Jane' } : {}),
    })),
    'speakers are numbered as they come, and words have the speaker of their segment': changeSegments((segment) => ({
      ...segment,
      ...(segment.speaker ? { speaker: segment.speaker === 'SPEAKER_00' ? 'SPEAKER_01' : 'SPEAKER_00' } : {}),
    })),
    'diarization changes no word, and without it there are no speakers': changeSegments((segment) => ({
      ...segment,
      speaker: segment.speaker ?? 'SPEAKER_00',
    })),
    'the language of the request is the one reported': said((chunk) => [
      'segment' in chunk ? chunk : { ...chunk, language: 'english' },
    ]),
    'an unknown language is refused': asked(({ file }) => ({ file })),
    'a file that is not audio is refused with unsupported_media': answeringInstead(),
    'a file without a sample, or whose header lies, is answered or refused with unsupported_media': streaming(
      (inner) =>
        async function* (request, call) {
          const lies = truncatedWav().equals(await readFile(request.file))
          for await (const chunk of inner(request, call))
            yield 'duration' in chunk && lies ? { ...chunk, duration: (4 * tonesWav.length) / 32_000 } : chunk
        },
    ),
    'the file is left as it was': streaming(
      (inner) =>
        async function* (request, call) {
          await appendFile(request.file, 'read')
          yield* inner({ ...request, file: sampleFile(tonesWav) }, call)
        },
    ),
  },
})
