import { readFileSync, rmSync, truncateSync } from 'node:fs'
import { failure } from '@sallyport/core'
import { beginning, digestOf, parseLine } from './lines.js'
import type { AuditLine, ChainLink } from './lines.js'
import { logFile, logFiles } from './log-files.js'
import type { LogFilePath } from './log-files.js'

/** Where an earlier server stopped to write. */
export interface LogEnd {
  /** The file to go on with. */
  readonly file: LogFilePath
  readonly last: ChainLink
  /** Milliseconds since 1970 of the last line; undefined where there is none. */
  readonly lastTime: number | undefined
  /** The number of the oldest file that belongs to the log. */
  readonly oldest: number
  /** Bytes of a line that had not been written to its end, and was cut off. */
  readonly torn: number
}

const lineFeed = 0x0a

/**
 * Finds the last whole line, and cuts off what follows it.
 * @throws config_invalid where that line is not one of an audit log
 */
export const recoverEnd = (directory: string): LogEnd => {
  let torn = 0
  for (const file of logFiles(directory).toReversed()) {
    const content = readFileSync(file.path)
    const end = content.lastIndexOf(lineFeed) + 1
    torn += content.length - end
    if (end) {
      if (end < content.length) truncateSync(file.path, end)
      return { file, torn, ...positionIn(file, content.subarray(0, end)) }
    }
    // Its first line was never whole: the file before it goes on.
    rmSync(file.path)
  }
  return { file: logFile(directory, 1), last: beginning, lastTime: undefined, oldest: 1, torn }
}

const positionIn = (file: LogFilePath, content: Buffer): Pick<LogEnd, 'last' | 'lastTime' | 'oldest'> => {
  const end = content.length - 1
  const bytes = content.subarray(end === 0 ? 0 : content.lastIndexOf(lineFeed, end - 1) + 1, end)
  const line = parseLine(bytes.toString())
  if (!line)
    throw failure('config_invalid', {
      where: file.path,
      problem: 'the last line is not one of an audit log: move the directory away, and a new log begins',
    })
  const first = parseLine(content.toString('utf8', 0, content.indexOf(lineFeed)))
  return {
    last: { seq: line.seq, digest: digestOf(bytes) },
    lastTime: Date.parse(line.time),
    oldest: first ? oldestFile(first) : 1,
  }
}

/** The number of the oldest file that belongs to the log, by the first line of one of its files. */
export const oldestFile = ({ kind, oldest }: AuditLine): number =>
  kind === 'rotated' && typeof oldest === 'number' ? oldest : 1
