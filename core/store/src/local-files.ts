/** Models that lie on this machine and are used in place. */

import { access, constants, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemCode } from '@sallyport/core'
import type { RequiredFiles } from '@sallyport/core'
import { describeRequired, modelFiles, printable } from './problems.js'
import { likeHub, partsOf } from './reference.js'

/** The files by role. A path names the weights, or a directory with all required files. @throws model_files */
export const localFiles = async (
  path: string,
  reference: string,
  wanted: RequiredFiles = {},
): Promise<Record<string, string>> => {
  const found = await stat(path).catch((cause: unknown) => {
    const hint = systemCode(cause) === 'ENOENT' ? likeHub(reference) : ''
    throw modelFiles(reference, missingProblem(cause) + hint, cause)
  })
  const { model, ...others } = wanted
  if (!found.isDirectory()) {
    const files = await weightsAndParts(path, reference)
    const directory = dirname(path)
    return { ...(await filesIn([directory, dirname(directory)], others, reference)), ...files }
  }
  if (model) return filesIn([path], wanted, reference)
  throw modelFiles(reference, 'is a directory: name the file in it that holds the weights')
}

const missingProblem = (cause: unknown): string =>
  systemCode(cause) === 'ENOENT'
    ? 'there is no such file; relative paths start at the directory of the configuration'
    : 'the file cannot be read: check its permissions'

const weightsAndParts = async (path: string, reference: string): Promise<Record<string, string>> => {
  // Each part of a split model must exist under its own name: what the file itself says about its parts is not read.
  const directory = await realpath(dirname(path))
  const names = partsOf(basename(path), reference)
  const paths = await Promise.all(names.map((name) => readableFile(join(directory, name), reference)))
  return Object.fromEntries(paths.map((each, index) => [index === 0 ? 'model' : basename(each), each]))
}

const filesIn = async (
  directories: readonly string[],
  wanted: RequiredFiles,
  reference: string,
): Promise<Record<string, string>> => {
  const files: Record<string, string> = {}
  for (const [role, file] of Object.entries(wanted)) {
    const candidates = file.names.flatMap((name) => directories.map((directory) => join(directory, name)))
    const path = await firstFile(candidates)
    if (path !== undefined) files[role] = await readableFile(path, reference)
    else if (!file.optional) throw modelFiles(reference, `needs a file beside it: ${describeRequired(role, file)}`)
  }
  return files
}

const firstFile = async (paths: readonly string[]): Promise<string | undefined> => {
  for (const path of paths) if ((await stat(path).catch(() => undefined))?.isFile()) return path
  return undefined
}

const readableFile = async (path: string, reference: string): Promise<string> => {
  const found = await stat(path).catch((cause: unknown) => {
    throw modelFiles(reference, `${printable(basename(path))}: ${missingProblem(cause)}`, cause)
  })
  if (!found.isFile()) throw modelFiles(reference, `${printable(basename(path))} is not a file`)
  await access(path, constants.R_OK).catch((cause: unknown) => {
    throw modelFiles(reference, `${printable(basename(path))} cannot be read: check its permissions`, cause)
  })
  return path
}
