import type { Logger } from '@sallyport/core'

export interface Line {
  level: string
  fields: Record<string, unknown>
  message: string
}

/** A logger that keeps its lines. */
export const listen = () => {
  const lines: Line[] = []
  const at = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields: fields as Record<string, unknown>, message })
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  }
  return { lines, logger }
}
