/**
 * Measures transcription on recordings: how many words are wrong, and what a second of sound costs. With `--minutes`
 * the recordings are joined, too, with pauses, over and over until they last that long: for that one the memory is told
 * while it goes on.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKernel } from '@sallyport/kernel'
import { transcription } from '@sallyport/core'
import type { Kernel, TranscribedSegment } from '@sallyport/core'
import { readRows, variable } from './data.js'
import { editDistance, spokenWords } from './speech-metrics.js'

interface Utterance {
  readonly id: string
  readonly audio: string
  readonly text: string
  readonly language: string
}

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'whisper-tiny.en' },
    weights: { type: 'string', default: 'int8' },
    threads: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '0' },
  },
})
const { model, weights } = values

/** Processes of models. Linux only. */
const children = (): string[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((id) => id)

/** Seconds of the processor that they have had. */
const childSeconds = (): number =>
  children()
    .map((id) => readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [])
    .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) / 100, 0)

/** Their memory. */
const childMegabytes = (): number =>
  children()
    .map((id) => /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1])
    .reduce((sum, kilobytes) => sum + Number(kilobytes ?? 0) / 1024, 0)

const fileOf = ({ audio }: Utterance) => join(process.env[variable] ?? '', 'asr', audio)

const transcribe = async (kernel: Kernel, request: { file: string; language?: string }) => {
  const segments: TranscribedSegment[] = []
  let duration = 0
  for await (const chunk of kernel.get(transcription, model).stream({ temperature: 0, ...request }))
    if ('segment' in chunk) segments.push(chunk.segment)
    else duration = chunk.duration
  return { segments, duration }
}

interface Total {
  words: number
  wrong: number
  seconds: number
}

const textOf = (segments: readonly TranscribedSegment[]) => segments.map(({ text }) => text).join('')

/** Does the work, and prints what its words and seconds of sound have cost. */
const measured = async (work: (total: Total) => Promise<void>): Promise<void> => {
  const total = { words: 0, wrong: 0, seconds: 0 }
  const started = { wall: performance.now(), processor: childSeconds() }
  await work(total)
  const wall = (performance.now() - started.wall) / 1000
  const processor = childSeconds() - started.processor
  console.log(`word error rate        ${(total.wrong / total.words).toFixed(3)}`)
  console.log(`real-time factor       ${(wall / total.seconds).toFixed(3)}`)
  console.log(`CPU seconds a second   ${(processor / total.seconds).toFixed(3)}`)
  console.log(`memory, MB             ${childMegabytes().toFixed(0)}`)
}

const words = (kernel: Kernel): Promise<void> =>
  measured(async (total) => {
    for (const row of readRows<Utterance>('asr/utterances.jsonl')) {
      const { segments, duration } = await transcribe(kernel, { file: fileOf(row), language: row.language })
      const expected = spokenWords(row.text)
      const wrong = editDistance(expected, spokenWords(textOf(segments)))
      total.words += expected.length
      total.wrong += wrong
      total.seconds += duration
      console.log(`  ${row.id}: ${wrong} of ${expected.length} words, ${duration.toFixed(1)} s`)
    }
  })

/** The recordings that are wav of 16 bits and one channel at one rate, joined until they last so many minutes. */
const long = async (kernel: Kernel, minutes: number): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'speech-'))
  const rows = readRows<Utterance>('asr/utterances.jsonl').filter(({ audio }) => audio.endsWith('.wav'))
  const { path, texts } = joined(rows, minutes, folder)
  try {
    await measured(async (total) => {
      const segments: TranscribedSegment[] = []
      for await (const chunk of kernel.get(transcription, model).stream({ file: path, temperature: 0, language: 'en' }))
        if ('duration' in chunk) total.seconds = chunk.duration
        else {
          const before = Math.floor((segments.at(-1)?.end ?? 0) / 60)
          segments.push(chunk.segment)
          const minute = Math.floor(chunk.segment.end / 60)
          if (minute > before) console.log(`  minute ${minute}: ${childMegabytes().toFixed(0)} MB`)
        }
      const expected = spokenWords(texts.join(' '))
      total.words = expected.length
      total.wrong = editDistance(expected, spokenWords(textOf(segments)))
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const headerBytes = 44

const joined = (rows: readonly Utterance[], minutes: number, folder: string) => {
  const [header] = rows.map((row) => readFileSync(fileOf(row)).subarray(0, headerBytes))
  if (!header) throw new Error('there are no recordings')
  const bytesOfSecond = header.readUInt32LE(28)
  const parts: Buffer[] = []
  const texts: string[] = []
  for (let [index, bytes] = [0, 0]; bytes < minutes * 60 * bytesOfSecond; index += 1) {
    const row = rows[index % rows.length]
    if (!row) break
    // pauses of half a second to two and a half
    const pause = Buffer.alloc(2 * Math.round((bytesOfSecond / 2) * (0.5 + (index % 5) / 2)))
    const part = Buffer.concat([readFileSync(fileOf(row)).subarray(headerBytes), pause])
    bytes += part.length
    parts.push(part)
    texts.push(row.text)
  }
  const data = Buffer.concat(parts)
  const path = join(folder, 'long.wav')
  const sized = Buffer.from(header)
  sized.writeUInt32LE(headerBytes - 8 + data.length, 4)
  sized.writeUInt32LE(data.length, 40)
  writeFileSync(path, Buffer.concat([sized, data]))
  return { path, texts }
}

const kernel = await createKernel({
  plugins: ['@sallyport/whisper'],
  models: { [model]: { backend: 'whisper', options: { weights, threads: Number(values.threads) } } },
})
try {
  console.log(`${model}, ${weights}, ${values.threads} threads`)
  await words(kernel)
  const minutes = Number(values.minutes)
  if (minutes > 0) await long(kernel, minutes)
} finally {
  await kernel.stop()
}
