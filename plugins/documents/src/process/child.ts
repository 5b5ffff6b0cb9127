/**
 * The process that reads documents, one at a time: what is in them is a stranger's. It is ended from outside when it
 * takes too long, and by itself when it takes too much memory or whoever started it is gone.
 */

import { Worker } from 'node:worker_threads'
import type { OcrLine, Raster } from '../ocr/engine.js'
import { DocumentProblem } from '../problem.js'
import { parse } from './parse.js'
import type { FromParser, ParseJob, ToParser } from './protocol.js'

process.title = 'sallyport: documents'

const reply = (message: FromParser) => process.send?.(message)

let answered: ((lines: readonly OcrLine[]) => void) | undefined

const ask = (picture: Raster): Promise<readonly OcrLine[]> =>
  new Promise((resolve) => {
    answered = resolve
    reply({ type: 'picture', picture })
  })

const traceOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

const serve = async (job: ParseJob): Promise<void> => {
  try {
    const result = await parse(job, ask)
    reply({ type: 'done', result, memory: process.memoryUsage.rss() })
  } catch (error) {
    const memory = process.memoryUsage.rss()
    if (error instanceof DocumentProblem) {
      const { cause, message: problem } = error
      reply({ type: 'refused', problem, ...(cause !== undefined && { cause: traceOf(cause) }), memory })
    } else reply({ type: 'failed', cause: traceOf(error), memory })
  }
}

// those to the whole group or service are for the server's process, which finishes what it has begun
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (message: ToParser) => {
  if (message.type === 'parse') void serve(message)
  else answered?.(message.lines)
})
const watch = new Worker(new URL('./memory-watch.js', import.meta.url), { workerData: Number(process.argv[2]) })
watch.unref()
watch.once('online', () => reply({ type: 'ready' }))
