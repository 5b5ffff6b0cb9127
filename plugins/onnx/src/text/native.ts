import { FairQueue } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { Tokenizer } from 'tokenizers'
import type { Decoder, JsEncoding } from 'tokenizers'

// one thread of its own: all others of the machine compute
process.env['TOKENIZERS_PARALLELISM'] = 'false'

interface Job {
  readonly text: string
  readonly asking: Requester
  readonly resolve: (encoding: JsEncoding) => void
  readonly reject: (reason: unknown) => void
}

/** UTF-16 units that the library is given at once, some 20 ms; a text counts for more than its length. */
const chunkLength = 32_768
const perText = 32

const withoutFrame = { addSpecialTokens: false }

/**
 * The tokenizers library, which reads texts in a thread of its own while the event loop goes on; what waits is read in
 * turns between tenants, as many texts at once as make up some milliseconds.
 */
export class NativeTokenizer {
  private readonly library: Tokenizer
  private readonly decoder: Decoder | null
  private readonly waiting = new FairQueue<Job>()
  private isReading = false

  /** @throws for a definition that the library refuses. It ends the process for some that are damaged. */
  constructor(json: string) {
    this.library = Tokenizer.fromString(json)
    this.decoder = this.library.getDecoder()
  }

  /** Lone surrogates are read as U+FFFD. @throws the signal's reason */
  encode(text: string, asking: Requester): Promise<JsEncoding> {
    return new Promise((resolve, reject) => {
      this.waiting.push(asking.tenant, { text, asking, resolve, reject })
      if (!this.isReading) void this.readAll()
    })
  }

  /** Tokens as the vocabulary has them become text. */
  decode(tokens: string[]): string {
    return this.decoder?.decode(tokens) ?? tokens.join('')
  }

  private async readAll(): Promise<void> {
    this.isReading = true
    // texts of the same turn are read together
    await Promise.resolve()
    for (let jobs = this.nextJobs(); jobs.length > 0; jobs = this.nextJobs()) await this.read(jobs)
    this.isReading = false
  }

  private nextJobs(): Job[] {
    const jobs: Job[] = []
    for (let length = 0; length < chunkLength;) {
      const job = this.waiting.take()
      if (!job) break
      const { signal } = job.asking
      if (signal.aborted) job.reject(signal.reason)
      else {
        jobs.push(job)
        length += job.text.length + perText
      }
    }
    return jobs
  }

  private async read(jobs: readonly Job[]): Promise<void> {
    try {
      const encodings = await this.library.encodeBatch(
        jobs.map(({ text }) => text),
        withoutFrame,
      )
      for (const [index, encoding] of encodings.entries()) jobs[index]?.resolve(encoding)
    } catch (error) {
      const [job, ...others] = jobs
      if (others.length === 0) job?.reject(error)
      else for (const one of jobs) await this.read([one])
    }
  }
}
