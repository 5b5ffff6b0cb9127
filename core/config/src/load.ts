import { createReadStream } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { failure, systemCode } from '@sallyport/core'
import type { Config } from '@sallyport/core'
import type { Environment } from '@sallyport/kit/installation'
import type { ConfigOverride } from './overrides.js'
import { assemble } from './parse.js'
import { readYaml } from './yaml-source.js'

const maxBytes = 256 * 1024

interface LoadOptions {
  readonly overrides?: readonly ConfigOverride[]
  /** Default: the process's. */
  readonly environment?: Environment
}

/** Reads a file. `loadPlugins` checks sections of plugins and options. @throws config_invalid, with line and column */
export const loadConfig = async (
  file: string | URL,
  { overrides = [], environment = process.env }: LoadOptions = {},
): Promise<Config> => {
  const path = resolve(file instanceof URL ? fileURLToPath(file) : file)
  const name = shortName(path)
  const { value, places } = readYaml(await readText(path, name), name, environment)
  return assemble(value, places, dirname(path), overrides)
}

/** The path relative to the working directory, unless it lies outside. */
export const shortName = (path: string): string => {
  const fromHere = relative(process.cwd(), path)
  return fromHere.startsWith('..') ? path : fromHere
}

const readText = async (path: string, name: string): Promise<string> => {
  const bytes = await readBytes(path).catch((cause: unknown) => {
    throw failure('config_invalid', { where: name, problem: readProblem(cause) }, { cause })
  })
  if (bytes.length > maxBytes)
    throw failure('config_invalid', { where: name, problem: `is larger than ${maxBytes / 1024} KiB` })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw failure('config_invalid', { where: name, problem: 'is not a text file in UTF-8' }, { cause })
  }
}

/** Reads one byte more than is allowed at most: the path may be that of a model, with gigabytes. */
const readBytes = async (path: string): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(path, { end: maxBytes })) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const readProblem = (cause: unknown): string => {
  const code = systemCode(cause)
  if (code === 'ENOENT') return 'there is no such configuration file'
  if (code === 'EISDIR') return 'is a directory: name the configuration file in it'
  return code === 'EACCES' ? 'may not be read: check its permissions' : 'cannot be read'
}
