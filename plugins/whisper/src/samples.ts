/** Samples per second of the input of all models. */
export const sampleRate = 16_000

export const concatenate = (parts: readonly Float32Array[]): Float32Array => {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/**
 * Windows of equal length over samples in blocks of any size; the last window is padded with silence.
 * @param hop samples from the start of one window to that of the next
 */
export async function* windowed(
  blocks: AsyncIterable<Float32Array>,
  length: number,
  hop = length,
): AsyncGenerator<Float32Array> {
  const window = new Float32Array(length)
  let [filled, count] = [0, 0]
  for await (const block of blocks)
    for (let at = 0; at < block.length;) {
      const part = block.subarray(at, at + length - filled)
      window.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < length) continue
      yield window.slice()
      window.copyWithin(0, hop)
      filled -= hop
      count += 1
    }
  // the last window already had the samples that it shares with the next one
  const shared = count ? length - hop : 0
  if (filled > shared) yield window.fill(0, filled)
}

/** Groups values; the last batch may have fewer. */
export async function* batches<Value>(source: AsyncIterable<Value>, size: number): AsyncGenerator<Value[]> {
  let group: Value[] = []
  for await (const value of source) {
    group.push(value)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length) yield group
}

/** Computes the next value while the caller works on the current one. */
export async function* prefetch<Value>(source: AsyncIterable<Value>): AsyncGenerator<Value> {
  const iterator = source[Symbol.asyncIterator]()
  const begin = () => {
    const next = iterator.next()
    // its error is thrown when it is awaited
    next.catch(() => undefined)
    return next
  }
  try {
    for (let next = begin(); ;) {
      const result = await next
      if (result.done) return
      next = begin()
      yield result.value
    }
  } finally {
    await iterator.return?.()
  }
}
