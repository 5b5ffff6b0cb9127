import { pino } from 'pino'
import pretty from 'pino-pretty'
import type { LogConfig } from '../config/types.js'
import type { Logger } from '../kernel/logger.js'

/** Log lines on standard error, written before the process can end: standard output is for what was asked for. */
export const createLogger = ({ level, format }: LogConfig): Logger => {
  const readable = format === 'pretty' || (format === 'auto' && process.stderr.isTTY)
  const destination = readable
    ? pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
    : pino.destination({ dest: 2, sync: true })
  return pino({ level, serializers: { err: pino.stdSerializers.err } }, destination)
}
