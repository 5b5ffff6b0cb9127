import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'

/**
 * The path of a program, which is searched for on the PATH unless it is a path itself. Nothing is cached: it may be
 * installed meanwhile.
 */
export const findProgram = (name: string, path = process.env['PATH'] ?? ''): string | undefined =>
  candidatePaths(name, path).find(isProgram)

const candidatePaths = (name: string, path: string): string[] => {
  const file = process.platform === 'win32' ? `${name}.exe` : name
  if (basename(name) !== name) return [name]
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => join(directory, file))
}

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
