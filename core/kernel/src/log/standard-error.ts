import { inspect } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { silentLogger } from '@sallyport/core'
import type { LogConfig, Logger } from '@sallyport/core'
import { finishLimit, Output } from './output.js'

type LogLevel = LogConfig['level']

let sharedOutput: Pick<Output, 'write'> | undefined

/** The one output of the process. Node has the main thread write what a worker writes. */
const output = () => (sharedOutput ??= isMainThread ? newOutput() : process.stderr)

const newOutput = (): Output => {
  const created = new Output(process.stderr, { droppedNotice })
  process.once('exit', () => created.finish(finishLimit))
  return created
}

const droppedNotice = (dropped: number, errorCode: string) =>
  logLine('error', { dropped, errorCode }, `${dropped} lines were dropped because the log could not be written`)

const logLine = (level: 'warn' | 'error', fields: object, message: string) =>
  `${toJson({ level, time: new Date().toISOString(), ...fields, message })}\n`

/** The logger of kernels that are given none: it writes warnings and errors as lines of JSON to standard error. */
export const standardErrorLogger = (level: LogLevel, fields: object = {}): Logger => {
  const write = (name: 'warn' | 'error') => (more: object, message: string) =>
    void output().write(logLine(name, { ...fields, ...more }, message))
  return {
    ...silentLogger,
    ...(level !== 'silent' && { error: write('error') }),
    ...(level !== 'silent' && level !== 'error' && { warn: write('warn') }),
    child: (more) => standardErrorLogger(level, { ...fields, ...more }),
  }
}

/** Errors are shown with `inspect`, for JSON would leave out their message and stack. */
const toJson = (line: object): string => {
  try {
    return JSON.stringify(line, (_, value: unknown) => (value instanceof Error ? inspect(value) : value))
  } catch {
    return JSON.stringify({ ...line, fields: 'cannot be shown as JSON' }, ['level', 'time', 'message', 'fields'])
  }
}
