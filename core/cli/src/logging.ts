import { pino } from 'pino'
import type { LogConfig, Logger } from '@sallyport/core'
import { discreetLogger } from '@sallyport/kit/logging'
import { finishLimit, Output } from '@sallyport/kernel'
import { terminalLine } from './terminal-line.js'

/** Errors are plain data by now; pino's own serializer would change them. */
const serializers = { err: (err: unknown) => err }

/** Logs to standard error, at once or, where that is not possible, later; lines that have to be dropped are counted. */
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
