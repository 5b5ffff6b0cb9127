/** Finds lines of an audit log, for people who read it. */

import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseLine } from './lines.js'
import type { AuditLine } from './lines.js'
import { filesOfLog, logFiles } from './log-files.js'
import type { LogFilePath } from './log-files.js'
import { readLines } from './read-lines.js'

export interface Selection {
  /** Id or name of a key. */
  readonly key?: string
  /** Name of a check that decided something. */
  readonly check?: string
  /** Milliseconds since 1970. */
  readonly since?: number
}

/** A line as it was written, and what it says. */
export interface SelectedLine {
  readonly text: string
  readonly line: AuditLine
}

/** Finds the last lines of a selection, the oldest first. */
export const lastLines = async (
  directory: string,
  selection: Selection,
  count: number,
): Promise<readonly SelectedLine[]> => {
  let found: SelectedLine[] = []
  for (const file of filesOfLog(directory).toReversed()) {
    if (found.length >= count) break
    const here: SelectedLine[] = []
    for await (const line of selectedLines([file], selection)) {
      here.push(line)
      if (here.length > count) here.shift()
    }
    found = [...here, ...found].slice(-count)
  }
  return found
}

/** Milliseconds between two looks for further lines. */
const interval = 250

export interface LogPosition {
  /** The number of a file; 0 before the first one. */
  readonly number: number
  /** In the file. */
  readonly bytes: number
}

/** Where the log ends now. */
export const endOfLog = (directory: string): LogPosition => {
  const file = logFiles(directory).at(-1)
  return file ? { number: file.number, bytes: statSync(file.path).size } : { number: 0, bytes: 0 }
}

/** Yields the lines of a selection behind a position, as they are written, until the signal is aborted. */
export async function* followLines(
  directory: string,
  selection: Selection,
  { number, bytes: position }: LogPosition,
  signal: AbortSignal,
): AsyncGenerator<SelectedLine, void> {
  while (!signal.aborted) {
    for (const file of logFiles(directory).filter((each) => each.number >= number)) {
      if (file.number > number) position = 0
      number = file.number
      for await (const { bytes, isWhole } of readLines([file], position)) {
        if (!isWhole) break
        position += bytes.length + 1
        const line = selectedLine(bytes, selection)
        if (line) yield line
      }
    }
    await sleep(interval, undefined, { signal }).catch(() => undefined)
  }
}

async function* selectedLines(files: readonly LogFilePath[], selection: Selection): AsyncGenerator<SelectedLine, void> {
  for await (const { bytes } of readLines(files)) {
    const line = selectedLine(bytes, selection)
    if (line) yield line
  }
}

const selectedLine = (bytes: Buffer, selection: Selection): SelectedLine | undefined => {
  const text = bytes.toString()
  const line = parseLine(text)
  return line && isSelected(line, selection) ? { text, line } : undefined
}

const isSelected = ({ time, who, verdicts }: AuditLine, { key, check, since }: Selection): boolean => {
  const { key: id, name } = (who ?? {}) as { readonly key?: string; readonly name?: string }
  const checks = (verdicts ?? []) as readonly { readonly check: string }[]
  return (
    (since === undefined || Date.parse(time) >= since) &&
    (key === undefined || key === id || key === name) &&
    (check === undefined || checks.some((verdict) => verdict.check === check))
  )
}
