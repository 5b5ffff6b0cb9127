/**
 * The process that reads documents, one at a time, because their content is untrusted. The parent kills it when it
 * takes too long; it ends itself when it takes too much memory or its parent has ended.
 */

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { errorTrace } from '@sallyport/core'
import type { Call } from '@sallyport/core'
import type { OcrEngine } from '../ocr/engine.js'
import type { Ocr } from '../raster.js'
import { DocumentProblem, asOwnFailure } from '../problem.js'
import { remoteModels } from './protocol.js'
import type { FromParser, ModelQuestion, ParseJob, ToParser } from './protocol.js'
import { parse } from './parse.js'

process.title = 'sallyport: documents'

const reply = (message: FromParser) => process.send?.(message)

let receiveAnswer: ((value: unknown) => void) | undefined

const ask = (question: ModelQuestion): Promise<unknown> =>
  new Promise((resolve) => {
    receiveAnswer = resolve
    reply({ type: 'ask', question })
  })

/** Engines are imported with the first image, because most documents need no OCR. */
const engines: Readonly<Record<ParseJob['engine'], () => Promise<OcrEngine>>> = {
  tesseract: async () => new (await import('../ocr/tesseract/tesseract-engine.js')).TesseractEngine(),
  'pp-ocr': async () => new (await import('../ocr/pp-ocr/pp-ocr-engine.js')).PpOcrEngine(remoteModels(ask)),
}

let engine: Promise<OcrEngine> | undefined

/** No signal is needed: to abort a document, the parent kills the process. */
const call: Call = { signal: new AbortController().signal, deadline: Infinity, requestId: '', tenant: '' }

const ocrBy =
  (name: ParseJob['engine']): Ocr =>
  async (image) => {
    reply({ type: 'ocr', running: true })
    const lines = await asOwnFailure('an image could not be read', async () => {
      engine ??= engines[name]()
      return (await engine).read(image, call)
    })
    reply({ type: 'ocr', running: false })
    return lines
  }

const serve = async (job: ParseJob): Promise<void> => {
  await watchStarted
  reply({ type: 'begun' })
  try {
    const result = await parse(job, ocrBy(job.engine))
    reply({ type: 'done', result, memory: process.memoryUsage.rss() })
  } catch (error) {
    if (error instanceof DocumentProblem) {
      const memory = process.memoryUsage.rss()
      const { cause, message: problem } = error
      reply({ type: 'refused', problem, ...(cause !== undefined && { cause: errorTrace(cause, 'separate') }), memory })
    } else reply({ type: 'failed', cause: errorTrace(error, 'separate') })
  }
}

// signals to the whole process group are for the server, which finishes running requests
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (message: ToParser) => {
  if (message.type === 'parse') void serve(message)
  else receiveAnswer?.(message.value)
})
const watch = new Worker(new URL('./memory-watch.js', import.meta.url), { workerData: Number(process.argv[2]) })
watch.unref()
const watchStarted = once(watch, 'online')
