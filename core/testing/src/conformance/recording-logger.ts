import type { Logger } from '@sallyport/core'
import { forwardingLogger } from '@sallyport/kit/logging'

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  /** With those of the logger's parents. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

/** A logger that keeps its lines and those of its children, in the order in which they are written. */
export const recordingLogger = (): { readonly logger: Logger; readonly lines: readonly LogLine[] } => {
  const lines: LogLine[] = []
  const logger = forwardingLogger((level, fields, message) => {
    lines.push({ level, fields: { ...fields }, message })
  })
  return { logger, lines }
}
