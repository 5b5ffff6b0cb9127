import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { untilAborted } from '@sallyport/kit/async'
import type Tesseract from 'tesseract.js'

/** The worker's thread, which the types of tesseract.js lack. */
interface Thread {
  once(event: 'error' | 'exit', listener: (cause: unknown) => void): void
}

type StartedWorker = Tesseract.Worker & { readonly worker: Thread }

/** Runs Tesseract in a thread, which is started with the first image and again after an abort. */
export class TesseractWorker {
  private starting: Promise<StartedWorker> | undefined
  private lost: Promise<never> | undefined

  /**
   * Recognises the text of an image. An abort ends the thread, because a running recognition cannot be cancelled.
   * @param file in any format that Leptonica knows
   * @throws the signal's reason when aborted
   */
  async recognise(file: Buffer, signal: AbortSignal): Promise<Tesseract.Block[]> {
    signal.throwIfAborted()
    this.starting ??= this.start()
    try {
      const worker = await untilAborted(this.starting, signal)
      const reading = worker.recognize(file, {}, { text: false, blocks: true }).catch(rethrowAsError)
      const { data } = await untilAborted(Promise.race([reading, this.lost ?? reading]), signal)
      return data.blocks ?? []
    } catch (error) {
      await this.end()
      throw error
    }
  }

  async end(): Promise<void> {
    const { starting } = this
    this.starting = undefined
    await (await starting?.catch(() => undefined))?.terminate()
  }

  private async start(): Promise<StartedWorker> {
    // imported with the first image, because most documents need no OCR
    const { createWorker } = (await import('tesseract.js')).default
    const worker = (await createWorker('eng', undefined, {
      langPath: languageFolder(),
      gzip: true,
      cacheMethod: 'none',
      // without a handler, rejections are also thrown where nobody can catch them
      errorHandler: () => undefined,
    }).catch(rethrowAsError)) as StartedWorker
    this.lost = new Promise<never>((_, reject) => {
      worker.worker.once('error', (cause) => reject(new Error('the thread of Tesseract failed', { cause })))
      worker.worker.once('exit', () => reject(new Error('the thread of Tesseract ended')))
    })
    this.lost.catch(() => undefined)
    // messages about an image would go to the console
    await worker.setParameters({ debug_file: '/dev/null' })
    return worker
  }
}

/** The folder of the language data. It must be a path: tesseract.js would download from a URL. */
const languageFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int')

/** tesseract.js rejects with strings instead of errors. */
const rethrowAsError = (cause: unknown): never => {
  throw cause instanceof Error ? cause : new Error(`Tesseract: ${String(cause)}`)
}
