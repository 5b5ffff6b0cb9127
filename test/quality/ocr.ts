/** Measures how well the words of scanned pages are read, and what that costs. */

import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createKernel } from '@sallyport/kernel'
import { inference } from '@sallyport/core'
import { PpOcrEngine, decodeImage, TesseractEngine } from '@sallyport/documents/ocr'
import type { OcrEngine } from '@sallyport/documents/ocr'
import { readRows, variable } from './data.js'
import { mean } from './metrics.js'

const file = 'ocr/pages.jsonl'

interface Page {
  readonly id: string
  readonly image: string
  /** Its words, as the file from which it was rendered has them. */
  readonly text: string
}

interface Result {
  readonly recall: number
  readonly precision: number
  /** CPU and wall clock. */
  readonly seconds: number
  readonly wall: number
}

const usage = `node test/dist/quality/ocr.js [options]

  --engine NAME  pp-ocr or tesseract (default: both, one after the other)
  --threads N    of an evaluation of pp-ocr (default: 1; the backend's own default is the number of cores)`

/** In small letters, without the punctuation around them: dots that lead to a page number are no words. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '')

/** How many words both have, each as often as both have it. */
const inCommon = (one: readonly string[], other: readonly string[]): number => {
  const counts = new Map<string, number>()
  for (const word of one) counts.set(word, (counts.get(word) ?? 0) + 1)
  return other.filter((word) => {
    const count = counts.get(word) ?? 0
    counts.set(word, count - 1)
    return count > 0
  }).length
}

/** Of this process and, on Linux, those that it started: the models have their own. */
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + ticksBelow(process.pid) / 100
}

const ticksBelow = (parent: number): number => {
  const names = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  return names.reduce((sum, name) => {
    const [parentOf, ticks] = statOf(name)
    return parentOf === parent ? sum + ticks + ticksBelow(Number(name)) : sum
  }, 0)
}

/** The parent of a process, and its time in hundredths of a second. */
const statOf = (name: string): [number, number] => {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return [Number(fields[1]), Number(fields[11]) + Number(fields[12])]
  } catch {
    // it has ended since it was listed
    return [0, 0]
  }
}

const readPage = async (engine: OcrEngine, { image, text }: Page): Promise<Result> => {
  const bytes = readFileSync(join(process.env[variable] ?? '', dirname(file), image))
  const raster = await decodeImage(bytes, 0, { pixels: 50e6 })
  const [cpu, wall] = [cpuSeconds(), performance.now()]
  const { signal } = new AbortController()
  const lines = await engine.read(raster, { signal, deadline: Infinity, requestId: 'quality', tenant: 'quality' })
  const [truth, read] = [wordsOf(text), wordsOf(lines.map((line) => line.text).join('\n'))]
  const found = inCommon(truth, read)
  return {
    recall: found / truth.length,
    precision: found / Math.max(1, read.length),
    seconds: cpuSeconds() - cpu,
    wall: (performance.now() - wall) / 1000,
  }
}

const print = (name: string, { recall, precision, seconds, wall }: Result): void =>
  console.log(
    `${name.padEnd(44)} recall ${recall.toFixed(3)}  precision ${precision.toFixed(3)}  ` +
      `CPU ${seconds.toFixed(2)} s  wall ${wall.toFixed(2)} s`,
  )

const measure = async (name: string, engine: OcrEngine): Promise<void> => {
  console.log(name)
  const pages = readRows<Page>(file)
  // a server starts an engine once
  for (const page of pages.slice(0, 1))
    print('the first page, with the start of the engine', await readPage(engine, page))
  const results: Result[] = []
  for (const page of pages) {
    const result = await readPage(engine, page)
    print(page.id, result)
    results.push(result)
  }
  const meanOf = (key: keyof Result) => mean(results.map((result) => result[key]))
  print('mean', {
    recall: meanOf('recall'),
    precision: meanOf('precision'),
    seconds: meanOf('seconds'),
    wall: meanOf('wall'),
  })
  await engine.close()
}

const measurePpOcr = async (threads: number): Promise<void> => {
  const model = { backend: 'onnx', options: { threads } }
  const models = { 'pp-ocrv6-det': model, 'pp-ocrv6-rec': model }
  const kernel = await createKernel({ plugins: ['@sallyport/onnx'], models })
  const detector = () => kernel.get(inference, 'pp-ocrv6-det')
  const recogniser = () => kernel.get(inference, 'pp-ocrv6-rec')
  try {
    await measure('pp-ocr', new PpOcrEngine({ detector, recogniser }))
  } finally {
    await kernel.stop()
  }
}

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    threads: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(usage)
else {
  if (values.engine !== 'tesseract') await measurePpOcr(Number(values.threads))
  if (values.engine !== 'pp-ocr') await measure('tesseract', new TesseractEngine())
}
