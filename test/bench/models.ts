/** Turns what the command line names into weights on this machine. */

import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { BenchModel } from './servers/contender.js'
import { sallyportCommand } from './servers/sallyport.js'

/** A path is taken as it is; anything else goes through the model store, which fetches what is missing. */
export const resolveModel = (reference: string): BenchModel => {
  const path = existsSync(reference) ? resolve(reference) : filesOf(reference).model
  const fromCatalogue = !reference.includes('/') && !existsSync(reference)
  const id = fromCatalogue ? reference : basename(path, '.gguf').toLowerCase()
  return { id, source: fromCatalogue ? reference : path, path, bytes: statSync(path).size }
}

interface ModelFiles {
  readonly model: string
  readonly [name: string]: string
}

/** What the store has for a reference, by name. @throws when it cannot get it; the command has said why */
export const filesOf = (reference: string): ModelFiles => {
  const output = execFileSync(process.execPath, [sallyportCommand, 'models', 'pull', reference, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return (JSON.parse(output) as { files: ModelFiles }).files
}
