/** Measures what is read of documents, where what is in them is known: the share of their words that arrives. */

import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel } from '@sallyport/kernel'
import { contentsOf, extraction } from '@sallyport/core'
import type { ExtractionCapability, ExtractionRequest } from '@sallyport/core'
import documents from '@sallyport/documents'
import { linesAt, pdfOf } from '@sallyport/stand-ins/pdf'
import { missingData, readRows, variable } from './data.js'

interface Row {
  readonly file: string
  readonly format: string
  readonly xml_text?: string
  readonly pdf_text_layer?: string
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * What is known to be in a document; of HTML, what stands between its tags; of a PDF, with words parted at the ends of
 * lines put together.
 */
const truthOf = (path: string, { format, xml_text, pdf_text_layer }: Row): string | undefined => {
  if (format !== 'html') return xml_text ?? pdf_text_layer?.replace(/(?<=\p{Ll})-[ \t]*\n[ \t]*(?=\p{Ll})/gu, '')
  return readFileSync(path, 'utf8')
    .replace(/<(script|style|title)[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<[^>]*>/g, ' ')
    .replace(/&\w+;|&#\w+;/g, ' ')
}

const recallOf = (truth: string, text: string): { found: number; all: number } => {
  const counts = new Map<string, number>()
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const words = wordsOf(truth)
  let found = 0
  for (const word of words) {
    const left = counts.get(word) ?? 0
    if (left > 0) found += 1
    counts.set(word, left - 1)
  }
  return { found, all: words.length }
}

const read = async (service: ExtractionCapability, file: string, format: ExtractionRequest['format']) => {
  const call = {
    signal: AbortSignal.timeout(120_000),
    deadline: Date.now() + 120_000,
    requestId: 'quality',
    tenant: '',
  }
  const result = await service.extract({ file, fileName: 'document', format }, call)
  return { ...result, contents: result.parts.map((part) => contentsOf(part, format)).join('') }
}

const measure = async (service: ExtractionCapability): Promise<void> => {
  const sums = new Map<string, { found: number; all: number }>()
  console.log('recall (text, markdown)     words      ms  file')
  for (const row of readRows<Row>('documents/index.jsonl')) {
    const path = join(process.env[variable] ?? '', 'documents', row.file)
    const truth = truthOf(path, row)
    try {
      await read(service, path, 'text')
      const start = performance.now()
      const text = await read(service, path, 'text')
      const spent = performance.now() - start
      const markdown = await read(service, path, 'markdown')
      const scores = truth === undefined ? [] : [text, markdown].map(({ contents }) => recallOf(truth, contents))
      for (const [index, { found, all }] of scores.entries()) {
        const key = `${row.format} ${index ? 'markdown' : 'text'}`
        const sum = sums.get(key) ?? { found: 0, all: 0 }
        sums.set(key, { found: sum.found + found, all: sum.all + all })
      }
      const shown = scores.map(({ found, all }) => (all ? found / all : 1).toFixed(3)).join('  ')
      console.log(`${shown.padEnd(22)} ${String(text.words).padStart(10)} ${spent.toFixed(0).padStart(7)}  ${row.file}`)
    } catch (error) {
      console.log(`${(error as Error).message}: ${row.file}`)
    }
  }
  for (const [name, { found, all }] of sums) console.log(`word recall ${name}: ${(found / all).toFixed(4)} of ${all}`)
}

/** Milliseconds that a PDF of 50 pages of text takes, each time it is read. */
const timePdf = async (service: ExtractionCapability): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'documents-'))
  const file = join(folder, 'pages')
  const lines = Array.from(
    { length: 48 },
    (_, line) => `Line ${line} of a page has about as many words as lines have, a dozen or so.`,
  )
  await writeFile(file, pdfOf(Array.from({ length: 50 }, () => linesAt(72, 50, lines))))
  const times: number[] = []
  let words = 0
  for (let time = 0; time < 6; time++) {
    const start = performance.now()
    words = (await read(service, file, 'markdown')).words
    times.push(performance.now() - start)
  }
  console.log(`PDF of 50 pages, ${words} words: ${times.map((time) => time.toFixed(0)).join(', ')} ms`)
  await rm(folder, { recursive: true })
}

const missing = missingData('documents/index.jsonl')
if (missing !== undefined) console.log(`not measured: ${missing}`)
else {
  const kernel = await createKernel({ plugins: [documents], models: { documents: { backend: 'documents' } } })
  const service = kernel.get(extraction, 'documents')
  await measure(service)
  await timePdf(service)
  await kernel.stop()
}
