import type { Pacer } from '../async/pacer.js'

/** UTF-16 units, or codes, between two pauses: groups of two, three, four and eight that are one byte or some end where it does. */
const slice = 65_520

/** What slices of something long become, one after the other, in turns with everything else. */
export async function* slices<Whole extends string | readonly unknown[], Part>(
  whole: Whole,
  pacer: Pacer,
  made: (slice: Whole) => Part,
): AsyncGenerator<Part, void> {
  for (let from = 0; from < whole.length; from += slice) {
    yield made(whole.slice(from, from + slice) as Whole)
    await pacer.pause()
  }
}

/** The bytes that slices of something long stand for, in one. */
export const bytesOf = async <Whole extends string | readonly unknown[]>(
  whole: Whole,
  pacer: Pacer,
  made: (slice: Whole) => Buffer,
): Promise<Buffer> => {
  const bytes: Buffer[] = []
  for await (const part of slices(whole, pacer, made)) bytes.push(part)
  return Buffer.concat(bytes)
}

/** How many are found in slices of something long. */
export const countIn = async <Whole extends string | readonly unknown[]>(
  whole: Whole,
  pacer: Pacer,
  counted: (slice: Whole) => number,
): Promise<number> => {
  let count = 0
  for await (const part of slices(whole, pacer, counted)) count += part
  return count
}
