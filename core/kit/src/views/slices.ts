import type { Pacer } from '../async/pacer.js'

/**
 * UTF-16 code units, or codes, between two pauses: a multiple of 2, 3, 4 and 8, so that no group that encodes bytes is
 * cut.
 */
const slice = 65_520

/** Maps a long text or list in slices, with turns for others between them. */
export async function* slices<Whole extends string | readonly unknown[], Part>(
  whole: Whole,
  pacer: Pacer,
  map: (slice: Whole) => Part,
): AsyncGenerator<Part, void> {
  for (let from = 0; from < whole.length; from += slice) {
    yield map(whole.slice(from, from + slice) as Whole)
    await pacer.pause()
  }
}

/** The bytes that a long text or list stands for. */
export const bytesOf = async <Whole extends string | readonly unknown[]>(
  whole: Whole,
  pacer: Pacer,
  map: (slice: Whole) => Buffer,
): Promise<Buffer> => {
  const bytes: Buffer[] = []
  for await (const part of slices(whole, pacer, map)) bytes.push(part)
  return Buffer.concat(bytes)
}

/** The sum of the counts of all slices. */
export const countIn = async <Whole extends string | readonly unknown[]>(
  whole: Whole,
  pacer: Pacer,
  countOf: (slice: Whole) => number,
): Promise<number> => {
  let count = 0
  for await (const part of slices(whole, pacer, countOf)) count += part
  return count
}
