/** Measures transcription on recordings: how many words are wrong, and what a second of sound costs. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKernel, transcription } from '@sallyport/core'
import type { Kernel, TranscribedSegment } from '@sallyport/core'
import { readRows, variable } from './data.js'
import { editDistance, spokenWords } from './speech-metrics.js'

interface Utterance {
  readonly id: string
  readonly audio: string
  readonly text: string
  readonly language: string
}

const { values } = parseArgs({ options: { model: { type: 'string', default: 'whisper-tiny.en' } } })
const { model } = values

/** Seconds of the processor that the processes of models have had. Linux only. */
const childSeconds = (): number => {
  const tasks = readFileSync('/proc/self/task/' + String(process.pid) + '/children', 'utf8').trim()
  return tasks
    .split(' ')
    .filter((id) => id)
    .map((id) => readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [])
    .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) / 100, 0)
}

const fileOf = ({ audio }: Utterance) => join(process.env[variable] ?? '', 'asr', audio)

const transcribe = async (kernel: Kernel, request: { file: string; language?: string }) => {
  const segments: TranscribedSegment[] = []
  let duration = 0
  for await (const piece of kernel.get(transcription, model).stream({ temperature: 0, ...request }))
    if ('segment' in piece) segments.push(piece.segment)
    else duration = piece.duration
  return { segments, duration }
}

const words = async (kernel: Kernel): Promise<void> => {
  const total = { words: 0, wrong: 0, seconds: 0 }
  const started = { wall: performance.now(), processor: childSeconds() }
  for (const row of readRows<Utterance>('asr/utterances.jsonl')) {
    const { segments, duration } = await transcribe(kernel, { file: fileOf(row), language: row.language })
    const expected = spokenWords(row.text)
    const wrong = editDistance(expected, spokenWords(segments.map(({ text }) => text).join('')))
    total.words += expected.length
    total.wrong += wrong
    total.seconds += duration
    console.log(`  ${row.id}: ${wrong} of ${expected.length} words, ${duration.toFixed(1)} s`)
  }
  const wall = (performance.now() - started.wall) / 1000
  const processor = childSeconds() - started.processor
  console.log(`word error rate        ${(total.wrong / total.words).toFixed(3)}`)
  console.log(`real-time factor       ${(wall / total.seconds).toFixed(2)}`)
  console.log(`CPU seconds a second   ${(processor / total.seconds).toFixed(2)}`)
}

const kernel = await createKernel({ plugins: ['@sallyport/whisper'], models: { [model]: { backend: 'whisper' } } })
try {
  console.log(model)
  await words(kernel)
} finally {
  await kernel.stop()
}
