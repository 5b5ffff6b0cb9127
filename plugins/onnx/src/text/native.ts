import { setImmediate as nextEventLoopTurn } from 'node:timers/promises'
import { FairQueue } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { Tokenizer } from 'tokenizers'
import type { Decoder, JsEncoding } from 'tokenizers'

// The tokenizers library gets a single thread, because the other cores run the model.
process.env['TOKENIZERS_PARALLELISM'] = 'false'

interface Job {
  readonly text: string
  readonly requester: Requester
  readonly resolve: (encoding: JsEncoding) => void
  readonly reject: (reason: unknown) => void
}

/** UTF-16 code units that the library tokenizes at once, which takes some 20 ms. */
const maxBatchLength = 32_768
/** The fixed cost of a text, in UTF-16 code units. */
const perText = 32

const withoutSpecialTokens = { addSpecialTokens: false }

/**
 * Calls the tokenizers library, which works in a thread of its own. Texts that wait are tokenized in batches of some
 * milliseconds; tenants take turns.
 */
export class NativeTokenizer {
  private readonly library: Tokenizer
  private readonly decoder: Decoder | null
  private readonly queue = new FairQueue<Job>()
  private isEncoding = false
  /** The texts that the library has now, and when it has tokenized them. */
  private batch: readonly Job[] = []
  private batchEncoded = Promise.resolve()

  /** @throws for a definition that the library refuses; some damaged ones end the process */
  constructor(json: string) {
    this.library = Tokenizer.fromString(json)
    this.decoder = this.library.getDecoder()
  }

  /** Lone surrogates become U+FFFD. @throws the signal's reason */
  encode(text: string, requester: Requester): Promise<JsEncoding> {
    return new Promise((resolve, reject) => {
      this.queue.push(requester.tenant, { text, requester, resolve, reject })
      if (!this.isEncoding) void this.encodeAll()
    })
  }

  /** The tenants whose texts wait or are being tokenized. */
  get tenants(): Iterable<string> {
    return new Set([...this.queue.tenants, ...this.batch.map(({ requester }) => requester.tenant)])
  }

  /** Resolves when the texts that the library has now are tokenized. */
  batchDone(): Promise<void> {
    return this.batchEncoded
  }

  /** The text of tokens of the vocabulary. */
  decode(tokens: string[]): string {
    return this.decoder?.decode(tokens) ?? tokens.join('')
  }

  private async encodeAll(): Promise<void> {
    this.isEncoding = true
    // All texts of one turn of the event loop are tokenized together.
    await Promise.resolve()
    for (this.batch = this.nextJobs(); this.batch.length > 0; this.batch = this.nextJobs()) {
      this.batchEncoded = this.encodeJobs(this.batch)
      await this.batchEncoded
      // Whoever waited for these texts may have more to be tokenized, which shall be part of the next batch.
      await nextEventLoopTurn()
    }
    this.isEncoding = false
  }

  private nextJobs(): Job[] {
    const jobs: Job[] = []
    for (let length = 0; length < maxBatchLength;) {
      const job = this.queue.take()
      if (!job) break
      const { signal } = job.requester
      if (signal.aborted) job.reject(signal.reason)
      else {
        jobs.push(job)
        length += job.text.length + perText
      }
    }
    return jobs
  }

  private async encodeJobs(jobs: readonly Job[]): Promise<void> {
    try {
      const encodings = await this.library.encodeBatch(
        jobs.map(({ text }) => text),
        withoutSpecialTokens,
      )
      for (const [index, encoding] of encodings.entries()) jobs[index]?.resolve(encoding)
    } catch (error) {
      const [job, ...others] = jobs
      if (others.length === 0) job?.reject(error)
      else for (const one of jobs) await this.encodeJobs([one])
    }
  }
}
