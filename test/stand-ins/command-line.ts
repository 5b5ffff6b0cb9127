import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The command line's program. */
export const program = `${root}core/cli/bin/sallyport.mjs`

/** Runs Node to its end. `output` is what came on both streams. */
export const runNode = (args: readonly string[], cwd: string, environment: NodeJS.ProcessEnv = {}) =>
  runCommand(process.execPath, args, cwd, environment)

/** The same for any program. */
export const runCommand = async (
  command: string,
  args: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
) => {
  const env = { ...process.env, PORT: '', SALLYPORT_HOST: '', ...environment }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  await once(child, 'exit')
  return { code: child.exitCode, output: (await output).join('') }
}
