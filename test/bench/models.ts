/** Turns what the command line names into weights on this machine. */

import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { BenchModel } from './servers/contender.js'
import { sallyportCommand } from './servers/sallyport.js'

/** A path is taken as it is; anything else goes through the model store, which fetches what is missing. */
export const resolveModel = (reference: string): BenchModel => {
  const path = existsSync(reference) ? resolve(reference) : pull(reference)
  const fromCatalogue = !reference.includes('/') && !existsSync(reference)
  const id = fromCatalogue ? reference : basename(path, '.gguf').toLowerCase()
  return { id, source: fromCatalogue ? reference : path, path, bytes: statSync(path).size }
}

/** @throws when the store cannot get it; the command has said why */
const pull = (reference: string): string => {
  const output = execFileSync(process.execPath, [sallyportCommand, 'models', 'pull', reference, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { files } = JSON.parse(output) as { files: { model: string } }
  return files.model
}
