/**
 * Measures how well speakers are told apart in recordings whose speakers are known: the diarization error rate of the
 * words as callers get them, and of saying that one person speaks, in those words or all the time.
 */

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKernel } from '@sallyport/kernel'
import { transcription } from '@sallyport/core'
import type { TranscribedWord } from '@sallyport/core'
import { readRows, variable } from './data.js'
import { diarizationError } from './diarization-metrics.js'
import type { DiarizationError, Turn } from './diarization-metrics.js'

interface Meeting {
  readonly id: string
  readonly audio: string
  readonly segments: readonly Turn[]
}

const { values } = parseArgs({ options: { model: { type: 'string', default: 'whisper-tiny.en' } } })
const { model } = values
const kernel = await createKernel({ plugins: ['@sallyport/whisper'], models: { [model]: { backend: 'whisper' } } })

const wordsOf = async ({ audio }: Meeting): Promise<TranscribedWord[]> => {
  const file = join(process.env[variable] ?? '', 'diarization', audio)
  const words: TranscribedWord[] = []
  const request = { file, diarization: true, temperature: 0, granularities: ['word' as const] }
  for await (const chunk of kernel.get(transcription, model).stream(request))
    if ('segment' in chunk) words.push(...(chunk.segment.words ?? []))
  return words
}

const line = (name: string, { total, missed, falseAlarm, confusion }: DiarizationError): string =>
  `  ${name.padEnd(30)} ${[total, missed, falseAlarm, confusion].map((value) => value.toFixed(3)).join('   ')}`

try {
  console.log(`${model.padEnd(32)} error   missed  false   confusion`)
  for (const row of readRows<Meeting>('diarization/segments.jsonl')) {
    const words = await wordsOf(row)
    const heard = words.map(({ start, end, speaker = '' }) => ({ start, end, speaker }))
    const speakers = new Set(heard.map(({ speaker }) => speaker)).size
    const end = Math.max(...row.segments.map((segment) => segment.end))
    console.log(`${row.id}: ${speakers} speakers`)
    console.log(line('words and their speakers', diarizationError(row.segments, heard)))
    console.log(
      line(
        'the same words, one speaker',
        diarizationError(
          row.segments,
          heard.map((word) => ({ ...word, speaker: 'one' })),
        ),
      ),
    )
    console.log(line('one speaker all the time', diarizationError(row.segments, [{ start: 0, end, speaker: 'one' }])))
  }
} finally {
  await kernel.stop()
}
