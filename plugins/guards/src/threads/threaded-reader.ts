import { SharedThreads } from '@sallyport/kit/threads'
import type { Call } from '@sallyport/core'

/** Reads texts, as far as that takes no model; what comes of it is plain data. */
export interface TextReader<Input, Result> {
  read(input: Input, call: Pick<Call, 'signal' | 'tenant'>): Promise<Result>
}

/** The same reader, in a thread where a text is long. */
export class ThreadedReader<Setup, Input, Result> implements TextReader<Input, Result> {
  private readonly threads: SharedThreads<Setup, Input, Result>

  /** @param module makes a reader of the same setup in a thread */
  constructor(
    private readonly here: TextReader<Input, Result>,
    module: URL,
    setup: Setup,
    private readonly textOf: (input: Input) => string,
  ) {
    this.threads = new SharedThreads(module, setup)
  }

  read(input: Input, call: Pick<Call, 'signal' | 'tenant'>): Promise<Result> {
    return this.threads.run(input, { text: this.textOf(input) }, call, {
      here: () => this.here.read(input, call),
      unpack: (result) => result,
    })
  }

  close(): Promise<void> {
    return this.threads.close()
  }
}
