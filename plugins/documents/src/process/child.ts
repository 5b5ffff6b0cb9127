/**
 * The process that reads documents, one at a time: what is in them is a stranger's. It is ended from outside when it
 * takes too long, and by itself when it takes too much memory or whoever started it is gone.
 */

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { errorTrace } from '@sallyport/core'
import type { Call } from '@sallyport/core'
import type { OcrEngine } from '../ocr/engine.js'
import type { OcrLine, Raster } from '../raster.js'
import { DocumentProblem, ours } from '../problem.js'
import { remoteModels } from './protocol.js'
import type { FromParser, ModelQuestion, ParseJob, ToParser } from './protocol.js'
import { parse } from './parse.js'

process.title = 'sallyport: documents'

const reply = (message: FromParser) => process.send?.(message)

let answered: ((value: unknown) => void) | undefined

const ask = (question: ModelQuestion): Promise<unknown> =>
  new Promise((resolve) => {
    answered = resolve
    reply({ type: 'ask', question })
  })

/** Loaded with the first image: most documents need none of them. */
const engines: Readonly<Record<ParseJob['engine'], () => Promise<OcrEngine>>> = {
  tesseract: async () => new (await import('../ocr/tesseract/tesseract-engine.js')).TesseractEngine(),
  'pp-ocr': async () => new (await import('../ocr/pp-ocr/pp-ocr-engine.js')).PpOcrEngine(remoteModels(ask)),
}

let engine: Promise<OcrEngine> | undefined

/** Whoever gives the document up ends the process. */
const call: Call = { signal: new AbortController().signal, deadline: Infinity, requestId: '', tenant: '' }

const readerWith =
  (name: ParseJob['engine']) =>
  async (image: Raster): Promise<readonly OcrLine[]> => {
    reply({ type: 'ocr', running: true })
    const lines = await ours('an image could not be read', async () => {
      engine ??= engines[name]()
      return (await engine).read(image, call)
    })
    reply({ type: 'ocr', running: false })
    return lines
  }

const serve = async (job: ParseJob): Promise<void> => {
  await watching
  reply({ type: 'begun' })
  try {
    const result = await parse(job, readerWith(job.engine))
    reply({ type: 'done', result, memory: process.memoryUsage.rss() })
  } catch (error) {
    const memory = process.memoryUsage.rss()
    if (error instanceof DocumentProblem) {
      const { cause, message: problem } = error
      reply({ type: 'refused', problem, ...(cause !== undefined && { cause: errorTrace(cause, 'marked') }), memory })
    } else reply({ type: 'failed', cause: errorTrace(error, 'marked'), memory })
  }
}

// those to the whole group or service are for the server's process, which finishes what it has begun
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (message: ToParser) => {
  if (message.type === 'parse') void serve(message)
  else answered?.(message.value)
})
const watch = new Worker(new URL('./memory-watch.js', import.meta.url), { workerData: Number(process.argv[2]) })
watch.unref()
const watching = once(watch, 'online')
