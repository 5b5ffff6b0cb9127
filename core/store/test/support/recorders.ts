import type { Progress } from '../../src/progress.js'

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
