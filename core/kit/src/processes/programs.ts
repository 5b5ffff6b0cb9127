import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'

/** Where a program is, on the PATH where it is no path itself; looked up each time, for it may be installed meanwhile. */
export const findProgram = (name: string, path = process.env['PATH'] ?? ''): string | undefined =>
  placesOf(name, path).find(isProgram)

const placesOf = (name: string, path: string): string[] => {
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
