import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export interface FetchAnswer {
  readonly files?: Readonly<Record<string, string>>
  readonly code?: string
  readonly message?: string
}

export const fetchProgram = fileURLToPath(new URL('fetch-process.js', import.meta.url))

/** Resolves a reference in another process; `prefix` is a command line that runs it. */
export const fetchElsewhere = (
  options: object,
  environment: Readonly<Record<string, string>>,
  prefix: readonly string[] = [],
): { readonly child: ChildProcess; readonly answer: Promise<FetchAnswer> } => {
  const [program, ...args] = [...prefix, process.execPath, fetchProgram, JSON.stringify(options)]
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] })
  const answer = text(child.stdout).then((output) => JSON.parse(output || '{}') as FetchAnswer)
  return { child, answer }
}
