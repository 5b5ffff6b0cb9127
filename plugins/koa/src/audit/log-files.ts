/** The files of an audit log in its directory: `audit-000001.jsonl` and so on. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { failure, systemCode } from '@sallyport/core'

export interface LogFilePath {
  /** From 1. */
  readonly number: number
  readonly path: string
}

const pattern = /^audit-(\d{6,})\.jsonl$/

export const logFile = (directory: string, number: number): LogFilePath => ({
  number,
  path: join(directory, `audit-${String(number).padStart(6, '0')}.jsonl`),
})

/** The files of a log that is to be read, the oldest first. @throws config_invalid where there is none */
export const filesOfLog = (directory: string): readonly LogFilePath[] => {
  const files = logFiles(directory)
  if (files.length) return files
  throw failure('config_invalid', { where: directory, problem: 'there is no audit log here' })
}

/** The files that are there, the oldest first; none where there is no directory. */
export const logFiles = (directory: string): readonly LogFilePath[] =>
  namesIn(directory)
    .flatMap((name) => {
      const [, digits] = pattern.exec(name) ?? []
      return digits === undefined ? [] : [logFile(directory, Number(digits))]
    })
    .sort((one, other) => one.number - other.number)

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}
