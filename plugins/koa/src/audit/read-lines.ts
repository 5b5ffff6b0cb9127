import { createReadStream } from 'node:fs'
import type { LogFilePath } from './log-files.js'

export interface RawLine {
  readonly file: LogFilePath
  /** Its number in the file, from 1. */
  readonly number: number
  /** Without the line feed. */
  readonly bytes: Buffer
  /** Whether a line feed ends it: the last line of a file may be one that is being written. */
  readonly isWhole: boolean
}

const lineFeed = 0x0a

/** Reads the lines of files, one after the other. @param start the byte to begin with, in each of them */
export async function* readLines(files: readonly LogFilePath[], start = 0): AsyncGenerator<RawLine, void> {
  for (const file of files) {
    let number = 0
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of createReadStream(file.path, { start }) as AsyncIterable<Buffer>) {
      rest = rest.length ? Buffer.concat([rest, chunk]) : chunk
      let from = 0
      for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed, from)) {
        yield { file, number: (number += 1), bytes: rest.subarray(from, end), isWhole: true }
        from = end + 1
      }
      rest = rest.subarray(from)
    }
    if (rest.length) yield { file, number: number + 1, bytes: rest, isWhole: false }
  }
}
