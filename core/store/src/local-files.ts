/** Models that lie on this machine, and are used where they are. */

import { createHash, randomUUID } from 'node:crypto'
import { access, constants, mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemCode } from '@sallyport/core'
import type { Wanted } from '@sallyport/core'
import { hashFile } from './digest.js'
import { modelFiles, shown } from './problems.js'
import { likeHub, partsOf } from './reference.js'
import { describeWanted } from './wanted.js'

/** The files by role. A path names the weights, or a directory with all the files that are wanted. @throws model_files */
export const localFiles = async (
  path: string,
  reference: string,
  wanted: Wanted = {},
): Promise<Record<string, string>> => {
  const found = await stat(path).catch((cause: unknown) => {
    throw modelFiles(
      reference,
      missingProblem(cause) + (systemCode(cause) === 'ENOENT' ? likeHub(reference) : ''),
      cause,
    )
  })
  const { model, ...others } = wanted
  if (!found.isDirectory()) {
    const files = await weightsAndParts(path, reference)
    const directory = dirname(path)
    return { ...(await besides([directory, dirname(directory)], others, reference)), ...files }
  }
  if (model) return besides([path], wanted, reference)
  throw modelFiles(reference, 'is a directory: name the file in it that holds the weights')
}

const missingProblem = (cause: unknown): string =>
  systemCode(cause) === 'ENOENT'
    ? 'there is no such file; relative paths start at the directory of the configuration'
    : 'the file cannot be read: check its permissions'

const weightsAndParts = async (path: string, reference: string): Promise<Record<string, string>> => {
  // Of a split model each part must be there, and under its own name: the file itself is not looked through.
  const directory = await realpath(dirname(path))
  const names = partsOf(basename(path), reference)
  const paths = await Promise.all(names.map((name) => usable(join(directory, name), reference)))
  return Object.fromEntries(paths.map((each, index) => [index === 0 ? 'model' : basename(each), each]))
}

const besides = async (
  directories: readonly string[],
  wanted: Wanted,
  reference: string,
): Promise<Record<string, string>> => {
  const files: Record<string, string> = {}
  for (const [role, file] of Object.entries(wanted)) {
    const candidates = file.names.flatMap((name) => directories.map((directory) => join(directory, name)))
    const path = await firstFile(candidates)
    if (path !== undefined) files[role] = await usable(path, reference)
    else if (!file.optional) throw modelFiles(reference, `needs a file beside it: ${describeWanted(role, file)}`)
  }
  return files
}

const firstFile = async (paths: readonly string[]): Promise<string | undefined> => {
  for (const path of paths) if ((await stat(path).catch(() => undefined))?.isFile()) return path
  return undefined
}

const usable = async (path: string, reference: string): Promise<string> => {
  const found = await stat(path).catch((cause: unknown) => {
    throw modelFiles(reference, `${shown(basename(path))}: ${missingProblem(cause)}`, cause)
  })
  if (!found.isFile()) throw modelFiles(reference, `${shown(basename(path))} is not a file`)
  await access(path, constants.R_OK).catch((cause: unknown) => {
    throw modelFiles(reference, `${shown(basename(path))} cannot be read: check its permissions`, cause)
  })
  return path
}

/** What is remembered of a file, so that it is read through only when it has changed. */
interface Remembered {
  readonly state: string
  readonly sha256: string
}

/** Digests of files; read once and then remembered by size, time and inode. */
export class LocalDigests {
  constructor(private readonly directory: string) {}

  async sha256(path: string, signal?: AbortSignal): Promise<string> {
    const state = await stateOf(path)
    const remembered = await readFile(this.memoryOf(path), 'utf8').then(parseRemembered, () => undefined)
    if (remembered?.state === state) return remembered.sha256
    const { sha256 } = await hashFile(path, { signal })
    await this.remember(path, { state, sha256 })
    return sha256
  }

  /** What has just been read through need not be read again. */
  async note(path: string, sha256: string): Promise<void> {
    await this.remember(path, { state: await stateOf(path), sha256 })
  }

  private memoryOf(path: string): string {
    return join(this.directory, `${createHash('sha256').update(path).digest('hex')}.json`)
  }

  /** Without the note, the next start reads the file again. */
  private async remember(path: string, value: Remembered): Promise<void> {
    await this.write(this.memoryOf(path), value).catch(() => undefined)
  }

  private async write(path: string, value: Remembered): Promise<void> {
    await mkdir(this.directory, { recursive: true })
    const temporary = `${path}.${randomUUID()}`
    await writeFile(temporary, JSON.stringify(value))
    await rename(temporary, path)
  }
}

const stateOf = async (path: string): Promise<string> => {
  const { size, mtimeMs, ino, dev } = await stat(path)
  return [size, mtimeMs, ino, dev].join(' ')
}

const parseRemembered = (text: string): Remembered | undefined => {
  try {
    const value = JSON.parse(text) as Partial<Remembered>
    const { state, sha256 } = value
    return typeof state === 'string' && typeof sha256 === 'string' ? { state, sha256 } : undefined
  } catch {
    return undefined
  }
}
