/** Yields the values of several streams as they come. The first failure ends all of them. */
export async function* mergeStreams<Value>(streams: readonly AsyncIterable<Value>[]): AsyncGenerator<Value> {
  const iterators = streams.map((stream) => stream[Symbol.asyncIterator]())
  const pending = new Map(iterators.map((iterator) => [iterator, nextOf(iterator)]))
  try {
    while (pending.size) {
      const { iterator, result } = await Promise.race(pending.values())
      // The stream goes to the end of the line, so that others with a value come first.
      pending.delete(iterator)
      if (result.done) continue
      pending.set(iterator, nextOf(iterator))
      yield result.value
    }
  } finally {
    // Nobody handles the errors of streams that are ended early.
    for (const [iterator, next] of pending) {
      next.catch(() => undefined)
      void Promise.resolve(iterator.return?.()).catch(() => undefined)
    }
  }
}

const nextOf = async <Value>(iterator: AsyncIterator<Value>) => ({ iterator, result: await iterator.next() })
