/** Labelled data to measure on: it is not part of the project, and its place is told by an environment variable. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const variable = 'SALLYPORT_EVAL'

/** Why there is no data; undefined where there is. */
export const missingData = (file: string): string | undefined => {
  const folder = process.env[variable]
  if (!folder) return `the environment variable ${variable} does not name a folder of evaluation data`
  return existsSync(join(folder, file)) ? undefined : `${file} is not in the folder that ${variable} names`
}

/** The rows of a file with one JSON value a line. @throws where it is missing */
export const readRows = <Row>(file: string): Row[] => {
  const missing = missingData(file)
  if (missing !== undefined) throw new Error(missing)
  const lines = readFileSync(join(process.env[variable] ?? '', file), 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Row)
}
