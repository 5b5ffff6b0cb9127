import { lineProgress } from './lines.js'
import { silentProgress } from './progress.js'
import type { Progress } from './progress.js'
import { terminalProgress } from './terminal.js'

export { lineProgress, silentProgress, terminalProgress }
export type { Progress, Transfer } from './progress.js'

/** Bars at a terminal, lines elsewhere; on standard error, since standard output is for results. */
export const standardProgress = (stream: NodeJS.WriteStream = process.stderr): Progress =>
  stream.isTTY ? terminalProgress(stream) : lineProgress((line) => stream.write(`${line}\n`))
