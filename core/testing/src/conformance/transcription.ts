import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type {
  TranscribedSegment,
  TranscribedWord,
  TranscriptionCapability,
  TranscriptionChunk,
  TranscriptionRequest,
} from '@sallyport/core'
import { cases, needs } from './case.js'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'
import { lazyFile, sampleFile } from './samples.js'
import { brokenAudio, truncatedWav, otherFormats, otherTonesWav, silentWav, tonesWav, wavOf } from './audio.js'
import { streamCases } from './stream-cases.js'
import { collectChunks, rejectsWith, testCall, valueUnless } from './support.js'

const tones = [lazyFile(() => tonesWav), lazyFile(() => otherTonesWav)] as const

const fileOf = ({ recordings }: ModelFacts, which: 0 | 1) => recordings?.[which].file ?? tones[which]()

const transcribe = async (service: TranscriptionCapability, request: TranscriptionRequest) => {
  const chunks = await collectChunks(service.stream(request, testCall()))
  const segments = chunks.flatMap((chunk) => ('segment' in chunk ? [chunk.segment] : []))
  const end = chunks.at(-1)
  return end && 'duration' in end ? { chunks, segments, ...end } : assert.fail('the duration does not come last')
}

/** Asserts that words or segments follow each other between two times. */
const assertInOrder = (words: readonly TranscribedWord[], from: number, to: number): void => {
  let before = from - 0.05
  for (const { text, start, end } of words) {
    assert.ok(
      start >= before && end >= start && end <= to + 0.05,
      `${text}: ${start}..${end} is not within ${before}..${to}`,
    )
    before = start
  }
}

/** The texts of all segments, in lower case. */
const transcriptOf = (segments: readonly TranscribedSegment[]) =>
  segments
    .map(({ text }) => text)
    .join('')
    .toLowerCase()

export const transcriptionCases: readonly ConformanceCase<TranscriptionCapability>[] = [
  ...streamCases<TranscriptionRequest, TranscriptionChunk>({
    request: (facts, which) => ({ file: fileOf(facts, which), temperature: 0 }),
    summary: (chunks) => chunks,
  }),
  ...cases<TranscriptionCapability>({
    'segments come in order, then the language and the duration, once': async (service, facts) => {
      const { chunks, segments, language, duration } = await transcribe(service, { file: fileOf(facts, 1) })
      assert.ok(language, 'no language came')
      assert.ok(segments.length > 0, 'no segment came')
      assert.equal(chunks.length, segments.length + 1, 'the duration must come once')
      assertInOrder(segments, 0, duration)
    },
    'the duration is that of the file, whatever its format': async (service) => {
      for (const [format, bytes] of [['16 kHz, 16 bit', tonesWav] as const, ...Object.entries(otherFormats)]) {
        const { duration } = await transcribe(service, { file: sampleFile(bytes) })
        assert.ok(Math.abs(duration - 2) < 0.1, `${format}: ${duration} s instead of 2 s`)
      }
    },
    'silence says nothing': async (service) => {
      const { segments } = await transcribe(service, { file: sampleFile(silentWav) })
      assert.equal(transcriptOf(segments).trim(), '')
    },
    'words come when asked for, within their segment': async (service, facts) => {
      const { segments } = await transcribe(service, { file: fileOf(facts, 0), granularities: ['segment', 'word'] })
      for (const { words = [], start, end, text } of segments) {
        assert.equal(words.map((word) => word.text).join(''), text, 'the words, joined, are not the segment')
        assertInOrder(words, start, end)
      }
    },
    'speakers have numbered labels, or diarization is refused with unsupported': async (service, facts) => {
      const request = { file: fileOf(facts, 0), diarization: true }
      const result = await valueUnless(transcribe(service, request), 'unsupported')
      for (const { speaker } of result?.segments ?? []) assert.match(String(speaker), /^SPEAKER_\d\d$/)
    },
    'speakers are numbered as they come, and words have the speaker of their segment': async (service, facts) => {
      const request: TranscriptionRequest = { file: fileOf(facts, 1), diarization: true, granularities: ['word'] }
      const result = await valueUnless(transcribe(service, request), 'unsupported')
      const segments = result?.segments ?? []
      const labels = [...new Set(segments.map(({ speaker }) => speaker))]
      assert.deepEqual(
        labels,
        labels.map((_, index) => `SPEAKER_${String(index).padStart(2, '0')}`),
      )
      for (const { speaker, text, words = [] } of segments)
        for (const word of words) assert.equal(word.speaker, speaker, `a word of "${text}" is said by another`)
    },
    'diarization changes no word, and without it there are no speakers': async (service, facts) => {
      const request: TranscriptionRequest = { file: fileOf(facts, 0), temperature: 0, granularities: ['word'] }
      const { segments } = await transcribe(service, request)
      for (const { speaker, words = [] } of segments)
        assert.deepEqual(
          [speaker, ...words.map((word) => word.speaker)].filter(Boolean),
          [],
          'nobody asked for speakers',
        )
      const diarized = await valueUnless(transcribe(service, { ...request, diarization: true }), 'unsupported')
      if (diarized) assert.equal(transcriptOf(diarized.segments), transcriptOf(segments))
    },
    'the language of the request is the one reported': async (service, facts) =>
      assert.equal((await transcribe(service, { file: fileOf(facts, 0), language: 'en' })).language, 'en'),
    'an unknown language is refused': async (service, facts) => {
      await rejectsWith(
        transcribe(service, { file: fileOf(facts, 0), language: 'xx' }),
        'unsupported',
        'invalid_request',
      )
    },
    'a file that is not audio is refused with unsupported_media': async (service) => {
      for (const bytes of Object.values(brokenAudio))
        await rejectsWith(transcribe(service, { file: sampleFile(bytes) }), 'unsupported_media')
    },
    'a file without a sample, or whose header lies, is answered or refused with unsupported_media': async (service) => {
      for (const bytes of [wavOf(0, []), truncatedWav()]) {
        const result = await valueUnless(transcribe(service, { file: sampleFile(bytes) }), 'unsupported_media')
        if (result) assert.ok(result.duration >= 0 && result.duration < 2.1, `the duration is ${result.duration} s`)
      }
    },
    'the file is left as it was': async (service) => {
      const file = sampleFile(tonesWav)
      await transcribe(service, { file })
      assert.ok(tonesWav.equals(await readFile(file)), 'the file has changed')
    },
  }),
  ...cases<TranscriptionCapability>(
    {
      'spoken words are transcribed': async (service, { recordings = [] }) => {
        for (const { file, words } of recordings) {
          const transcript = transcriptOf((await transcribe(service, { file })).segments)
          for (const word of words) assert.ok(transcript.includes(word), `"${word}" is missing in: ${transcript}`)
        }
      },
    },
    needs('recordings'),
  ),
]
