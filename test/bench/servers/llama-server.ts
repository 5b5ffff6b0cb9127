import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Contender } from './contender.js'
import { freePort, launch } from './launch.js'

/** llama.cpp's server with the same weights, context and number of sequences. */
export const llamaServer = (command: string): Contender => ({
  name: 'llama-server',
  start: async ({ model, threads, parallel, contextLength }) => {
    const port = await freePort()
    const settings = {
      '--model': model.path,
      '--host': '127.0.0.1',
      '--port': port,
      '--threads': threads,
      '--threads-batch': threads,
      '--parallel': parallel,
      // of all sequences together
      '--ctx-size': parallel * contextLength,
      // copying finished prompts aside would slow it down: no prompt comes twice
      '--cache-ram': 0,
    }
    const args = Object.entries(settings).flatMap(([flag, value]) => [flag, String(value)])
    const url = `http://127.0.0.1:${port}`
    return launch({ command, args: [...args, '--jinja', '--no-webui'], url, readyPath: '/health' })
  },
})

/** The file that runs as `llama-server`: as given, or the first on the PATH. */
export const findLlamaServer = (given?: string): string | undefined => {
  if (given !== undefined) {
    if (!isExecutable(given)) throw new Error(`--llama-server ${given}: not a file that can be run`)
    return given
  }
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return directories.map((directory) => join(directory, 'llama-server')).find(isExecutable)
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
