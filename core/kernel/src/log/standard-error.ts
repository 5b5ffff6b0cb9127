import { inspect } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { silentLogger } from '@sallyport/core'
import type { LogConfig, Logger } from '@sallyport/core'
import { lastWords, Output } from './output.js'

type LogLevel = LogConfig['level']

let standardError: Pick<Output, 'write'> | undefined

/** One for the process, which waits for no reader; what a worker writes is passed on by the main thread. */
const output = () => (standardError ??= isMainThread ? newOutput() : process.stderr)

const newOutput = (): Output => {
  const made = new Output(process.stderr, { missing: missingLine })
  process.once('exit', () => made.finish(lastWords))
  return made
}

const missingLine = (dropped: number, because: string) =>
  lineWith('error', { dropped, because }, `${dropped} lines were dropped because nobody read the log`)

const lineWith = (level: 'warn' | 'error', fields: object, message: string) =>
  `${lineOf({ level, time: new Date().toISOString(), ...fields, message })}\n`

/** Where nobody gives a logger: warnings and errors, as far as they are wanted, a line of JSON each, on standard error. */
export const standardErrorLogger = (level: LogLevel, fields: object = {}): Logger => {
  const write = (name: 'warn' | 'error') => (more: object, message: string) =>
    void output().write(lineWith(name, { ...fields, ...more }, message))
  return {
    ...silentLogger,
    ...(level !== 'silent' && { error: write('error') }),
    ...(level !== 'silent' && level !== 'error' && { warn: write('warn') }),
    child: (more) => standardErrorLogger(level, { ...fields, ...more }),
  }
}

/** Errors have no fields of their own that JSON would show. */
const lineOf = (line: object): string => {
  try {
    return JSON.stringify(line, (_, value: unknown) => (value instanceof Error ? inspect(value) : value))
  } catch {
    return JSON.stringify({ ...line, fields: 'cannot be shown as JSON' }, ['level', 'time', 'message', 'fields'])
  }
}
