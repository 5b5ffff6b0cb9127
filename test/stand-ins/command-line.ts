import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The command line's program. */
export const program = `${root}core/cli/bin/sallyport.mjs`

/** Runs Node to its end. */
export const runNode = (args: readonly string[], cwd: string, environment: NodeJS.ProcessEnv = {}) =>
  runCommand(process.execPath, args, cwd, environment)

/**
 * Runs a command line of Sallyport in this process, which has its modules loaded, with a directory and an environment of
 * its own: a second of the processor less than a process. For commands that come to an end.
 */
export const runSallyport = async (args: readonly string[], cwd: string, environment: NodeJS.ProcessEnv = {}) => {
  const { run } = (await import(`${root}core/cli/dist/src/main.js`)) as {
    readonly run: (args: readonly string[]) => Promise<void>
  }
  const before = { directory: process.cwd(), env: process.env }
  const releases = [watchListeners(process, 'exit')]
  const outputs = [process.stdout, process.stderr].map((stream) => {
    releases.push(watchListeners(stream, 'error'))
    return captureOutput(stream)
  })
  process.chdir(cwd)
  process.env = { ...process.env, PORT: '', SALLYPORT_HOST: '', ...environment }
  try {
    await run(args)
  } finally {
    process.chdir(before.directory)
    process.env = before.env
    for (const release of [...releases, ...outputs.map(({ release }) => release)]) release()
  }
  const code = process.exitCode ?? 0
  process.exitCode = undefined
  return { code, output: outputs.map(({ text }) => text()).join('') }
}

/** Returns a function that removes the listeners that were added since. */
const watchListeners = (emitter: NodeJS.EventEmitter, event: string) => {
  const before = emitter.listeners(event)
  return () => {
    for (const listener of emitter.listeners(event))
      if (!before.includes(listener)) emitter.off(event, listener as () => void)
  }
}

/** Keeps what is written to a stream until it is released. */
const captureOutput = (stream: NodeJS.WriteStream) => {
  const write = stream.write.bind(stream)
  let written = ''
  stream.write = (chunk: Uint8Array | string) => {
    written += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    return true
  }
  return { release: () => (stream.write = write), text: () => written }
}

/** Runs any program to its end. `output` is what came on both streams. */
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
