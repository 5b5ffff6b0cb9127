/** What a log may say of an error whose message may hold a user's text. */
export interface ErrorTrace {
  readonly name: string
  readonly code?: string
  /** Where it was thrown: functions, files and lines, nearest first. */
  readonly frames: readonly string[]
}

const frame = /^ {4}at \S.{0,500}$/
const plainCode = /^[\w.-]{1,64}$/
const mostFrames = 16

/** An error without its message. Whatever is no error has a name only. */
export const errorTrace = (error: unknown): ErrorTrace => {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] }
  const { code } = error as { code?: unknown }
  return {
    name: plainCode.test(error.name) ? error.name : 'Error',
    ...(typeof code === 'string' && plainCode.test(code) ? { code } : {}),
    frames: framesOf(error),
  }
}

/** The stack begins with the message, which may look like frames itself. */
const framesOf = ({ message, stack = '' }: Error): string[] => {
  const lines = stack.replace(message, () => '').split('\n')
  const first = lines.findLastIndex((line) => !frame.test(line)) + 1
  return lines.slice(first, first + mostFrames).map((line) => line.trim())
}
