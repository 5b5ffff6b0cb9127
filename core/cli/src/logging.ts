import { pino } from 'pino'
import type { LogConfig, Logger } from '@sallyport/core'
import { discreetLogger } from '@sallyport/kit/logging'
import { finishLimit, Output } from '@sallyport/kernel'
import { terminalLine } from './terminal-line.js'

/** Errors are plain data by now; pino's own serializer would change them. */
const serializers = { err: (err: unknown) => err }

/**
 * Writes log lines to standard error; standard output is for results. Each line is written before the call returns,
 * unless it cannot be written: then it waits, or is dropped and counted.
 */
export const createLogger = (config: LogConfig): Logger => {
  const { level, format } = config
  const { stderr } = process
  const readable = format === 'pretty' || (format === 'auto' && stderr.isTTY)
  const lines: string[] = []
  const formatted = pino({ level }, { write: (line) => void lines.push(line) })
  const output = new Output(stderr, {
    droppedNotice: (dropped, errorCode) => {
      formatted.error({ dropped, errorCode }, `${dropped} lines were dropped because the log could not be written`)
      return shown(lines.pop() ?? '')
    },
  })
  const shown = readable ? terminalLine(stderr.isTTY && stderr.hasColors(), level === 'info') : (line: string) => line
  process.once('exit', () => output.finish(finishLimit))
  return discreetLogger(pino({ level, serializers }, { write: (line) => output.write(shown(line)) }), config)
}
