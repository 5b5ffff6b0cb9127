/** The same values; each next one is made while the one before is worked on. */
export async function* ahead<Value>(source: AsyncIterable<Value>): AsyncGenerator<Value> {
  const iterator = source[Symbol.asyncIterator]()
  const ask = () => {
    const next = iterator.next()
    // its error is thrown when it is awaited
    next.catch(() => undefined)
    return next
  }
  try {
    for (let next = ask(); ;) {
      const result = await next
      if (result.done) return
      next = ask()
      yield result.value
    }
  } finally {
    await iterator.return?.()
  }
}
