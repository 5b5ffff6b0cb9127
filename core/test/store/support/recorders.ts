import type { Logger } from '../../../src/kernel/logger.js'
import type { Progress } from '../../../src/store/progress/progress.js'

/** Keeps what is shown. */
export const recordingProgress = (): Progress & { readonly lines: string[] } => {
  const lines: string[] = []
  return {
    lines,
    begin: (label) => {
      lines.push(`begin ${label}`)
      return { update: () => undefined, end: (outcome) => lines.push(`${outcome} ${label}`) }
    },
    say: (line) => lines.push(line),
  }
}

/** Keeps what is logged, as JSON. */
export const recordingLogger = (): Logger & { readonly lines: string[] } => {
  const lines: string[] = []
  const keep = (fields: object, message: string) => {
    lines.push(JSON.stringify({ ...fields, message }))
  }
  const logger = { lines, debug: keep, info: keep, warn: keep, error: keep, child: () => logger }
  return logger
}
