import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { untilAborted } from '@sallyport/kit/async'
import type Tesseract from 'tesseract.js'

/** The thread of a worker, which tesseract.js does not declare. */
interface Thread {
  once(event: 'error' | 'exit', listener: (cause: unknown) => void): void
}

type Started = Tesseract.Worker & { readonly worker: Thread }

/** Tesseract in a thread of its own, which is started with the first image and after an abort. */
export class TesseractWorker {
  private starting: Promise<Started> | undefined
  private lost: Promise<never> | undefined

  /**
   * What is on an image. An abort ends the thread: an image that it reads cannot be left otherwise.
   * @param file in any format that Leptonica knows
   * @throws the signal's reason when aborted
   */
  async recognise(file: Buffer, signal: AbortSignal): Promise<Tesseract.Block[]> {
    signal.throwIfAborted()
    this.starting ??= this.start()
    try {
      const worker = await untilAborted(this.starting, signal)
      const reading = worker.recognize(file, {}, { text: false, blocks: true }).catch(failed)
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

  private async start(): Promise<Started> {
    // loaded with the first image: most documents need none of it
    const { createWorker } = (await import('tesseract.js')).default
    const worker = (await createWorker('eng', undefined, {
      langPath: languageFolder(),
      gzip: true,
      cacheMethod: 'none',
      // without it, what is rejected is thrown once more, where nobody can catch it
      errorHandler: () => undefined,
    }).catch(failed)) as Started
    this.lost = new Promise<never>((_, reject) => {
      worker.worker.once('error', (cause) => reject(new Error('the thread of Tesseract failed', { cause })))
      worker.worker.once('exit', () => reject(new Error('the thread of Tesseract ended')))
    })
    this.lost.catch(() => undefined)
    // what it says of an image would go to the console
    await worker.setParameters({ debug_file: '/dev/null' })
    return worker
  }
}

/** A path, which tesseract.js takes for a file; of anything that looks like a URL it would ask a server. */
const languageFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int')

/** Failures of tesseract.js are plain texts. */
const failed = (cause: unknown): never => {
  throw cause instanceof Error ? cause : new Error(`Tesseract: ${String(cause)}`)
}
