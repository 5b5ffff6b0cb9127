import { pino } from 'pino'
import type { LogConfig, Logger } from '@sallyport/core'
import { discreetLogger } from '@sallyport/kit/logging'
import { lastWords, Output } from '@sallyport/kernel'
import { terminalLine } from './terminal-line.js'

/** Errors have become plain data before: the library's own serializer would read more into it. */
const serializers = { err: (err: unknown) => err }

/**
 * Log lines on standard error: standard output is for what was asked for. Each is written before the call returns, unless
 * nobody reads them: then they wait, or are dropped and counted.
 */
export const createLogger = (config: LogConfig): Logger => {
  const { level, format } = config
  const { stderr } = process
  const readable = format === 'pretty' || (format === 'auto' && stderr.isTTY)
  const lines: string[] = []
  const formatted = pino({ level }, { write: (line) => void lines.push(line) })
  const output = new Output(stderr, {
    missing: (dropped, because) => {
      formatted.error({ dropped, because }, `${dropped} lines were dropped because nobody read the log`)
      return shown(lines.pop() ?? '')
    },
  })
  const shown = readable ? terminalLine(stderr.isTTY && stderr.hasColors(), level === 'info') : (line: string) => line
  process.once('exit', () => output.finish(lastWords))
  return discreetLogger(pino({ level, serializers }, { write: (line) => output.write(shown(line)) }), config)
}
