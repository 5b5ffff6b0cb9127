import type { Logger } from '@sallyport/core'
import type { LogFrame } from './protocol.js'

export const writeLogFrame = (logger: Logger, { level, fields, message }: LogFrame): void =>
  logger[level](fields, message)
