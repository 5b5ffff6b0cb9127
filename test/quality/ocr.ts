/** Measures how well the words of scanned pages are read, and what that costs: recall, precision and CPU time. */

import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createKernel, inference } from '@sallyport/core'
import type { Call, Kernel } from '@sallyport/core'
import { decodePicture, PpOcrEngine } from '@sallyport/documents/ocr'
import type { OcrEngine, OcrLine } from '@sallyport/documents/ocr'
import { readRows, variable } from './data.js'
import { mean } from './metrics.js'

const file = 'ocr/pages.jsonl'

interface Page {
  readonly id: string
  readonly image: string
  readonly text: string
}

/** Without the punctuation around them, in small letters: what only has punctuation (dots of a table of contents) is no word. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '')

const common = (one: readonly string[], other: readonly string[]): number => {
  const counts = new Map<string, number>()
  for (const word of one) counts.set(word, (counts.get(word) ?? 0) + 1)
  let found = 0
  for (const word of other) {
    const count = counts.get(word) ?? 0
    if (count > 0) found++
    counts.set(word, count - 1)
  }
  return found
}

const call = (): Call => ({
  signal: new AbortController().signal,
  deadline: Infinity,
  requestId: 'quality',
  tenant: 'quality',
})

/** CPU seconds of this process and those that it started; of this one alone where there is no /proc. */
const cpuSeconds = (): number => {
  const own = process.cpuUsage()
  return (own.user + own.system) / 1e6 + childrenOf(process.pid).reduce((sum, { seconds }) => sum + seconds, 0)
}

interface Child {
  readonly pid: number
  readonly seconds: number
}

const childrenOf = (parent: number): Child[] => {
  let names: string[] = []
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
  return names.flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (Number(fields[1]) !== parent) return []
      const pid = Number(name)
      return [{ pid, seconds: (Number(fields[11]) + Number(fields[12])) / 100 }, ...childrenOf(pid)]
    } catch {
      return []
    }
  })
}

const models = ['pp-ocrv6-det', 'pp-ocrv6-rec']

const startKernel = (threads: number): Promise<Kernel> =>
  createKernel({
    plugins: ['@sallyport/onnx'],
    models: Object.fromEntries(models.map((id) => [id, { backend: 'onnx', options: { threads } }])),
  })

const measure = async (engine: OcrEngine): Promise<void> => {
  const rows = readRows<Page>(file)
  const folder = join(process.env[variable] ?? '', dirname(file))
  const all: number[][] = []
  for (const { id, image, text } of rows) {
    const picture = decodePicture(readFileSync(join(folder, image)))
    const [cpu, wall] = [cpuSeconds(), performance.now()]
    const lines = await engine.read(picture, call())
    const seconds = [cpuSeconds() - cpu, (performance.now() - wall) / 1000]
    if (process.env['OCR_CPU']) { const u = process.cpuUsage(); console.log('own so far', ((u.user + u.system) / 1e6).toFixed(1)) }
    const [truth, read] = [wordsOf(text), wordsOf(lines.map((line: OcrLine) => line.text).join('\n'))]
    if (process.env['OCR_DUMP']) dump(truth, read, lines)
    const found = common(truth, read)
    const row = [found / truth.length, found / Math.max(1, read.length), ...seconds]
    all.push(row)
    print(id, row)
  }
  print('mean', [0, 1, 2, 3].map((index) => mean(all.map((row) => row[index] ?? 0))))
}
const dump = (truth: string[], read: string[], lines: OcrLine[]) => {
  const rest = (a: string[], b: string[]) => { const m = new Map<string, number>(); for (const w of b) m.set(w, (m.get(w) ?? 0) + 1); return a.filter((w) => { const c = m.get(w) ?? 0; m.set(w, c - 1); return c <= 0 }) }
  console.log('MISSED', rest(truth, read).join(' ')); console.log('WRONG', rest(read, truth).join(' '))
  if (process.env['OCR_DUMP'] === '2') for (const l of lines) console.log(l.confidence.toFixed(2), JSON.stringify(l.box), l.text)
}

const print = (name: string, [recall = 0, precision = 0, cpu = 0, wall = 0]: readonly number[]): void =>
  console.log(
    `${name.padEnd(44)} recall ${recall.toFixed(3)}  precision ${precision.toFixed(3)}  CPU ${cpu.toFixed(2)} s  wall ${wall.toFixed(2)} s`,
  )

const { values } = parseArgs({ options: { threads: { type: 'string', default: '2' }, o: { type: 'string', default: '{}' } } })
const kernel = await startKernel(Number(values.threads))
try {
  await measure(
    new PpOcrEngine(
      {
        detector: () => kernel.get(inference, 'pp-ocrv6-det'),
        recogniser: () => kernel.get(inference, 'pp-ocrv6-rec'),
      },
      JSON.parse(values.o) as object,
    ),
  )
} finally {
  await kernel.stop()
}
