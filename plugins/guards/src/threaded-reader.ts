import type { Requester } from '@sallyport/kit/async'
import { SharedThreads } from '@sallyport/kit/threads'
import type { ThreadModule } from '@sallyport/kit/threads'

/** Does the part of a detector's work that needs no model. Inputs and results are plain data. */
export interface TextReader<Input, Result> {
  read(input: Input, requester: Requester): Promise<Result>
}

/** Makes a reader, in the main thread or another. The options are plain data. */
type ReaderFactory<Options, Input, Result> = (options: Options) => Promise<TextReader<Input, Result>>

/** The default export of a module that a {@link ThreadedReader} names. */
export const threadModule =
  <Options, Input, Result>(createReader: ReaderFactory<Options, Input, Result>): ThreadModule<Options, Input, Result> =>
  async (options) => {
    const reader = await createReader(options)
    return (input, { signal }) => reader.read(input, { signal, tenant: '' })
  }

/** A reader that processes long texts in a thread. */
export class ThreadedReader<Options, Input extends { readonly text: string }, Result> implements TextReader<
  Input,
  Result
> {
  private constructor(
    private readonly here: TextReader<Input, Result>,
    private readonly threads: SharedThreads<Options, Input, Result>,
  ) {}

  /** @param module a module whose default export is the {@link threadModule} of `createReader` */
  static async of<Options, Input extends { readonly text: string }, Result>(
    options: Options,
    createReader: ReaderFactory<Options, Input, Result>,
    module: URL,
  ): Promise<ThreadedReader<Options, Input, Result>> {
    return new ThreadedReader(await createReader(options), new SharedThreads(module, options))
  }

  read(input: Input, requester: Requester): Promise<Result> {
    return this.threads.run(input, { text: input.text }, requester, {
      here: () => this.here.read(input, requester),
      unpack: (result) => result,
    })
  }

  close(): Promise<void> {
    return this.threads.close()
  }
}
