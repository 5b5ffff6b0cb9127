import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program of the system that a backend uses where it is installed. */
export interface OptionalProgram {
  /** As it is called: `ffmpeg`. */
  readonly name: string
  /** What there is without it, for `sallyport check`: `only wav, mp3 and flac are read`. */
  readonly without: string
}

/** Where a program is on the PATH; looked up each time, for it may be installed meanwhile. */
export const findProgram = (name: string, path = process.env['PATH'] ?? ''): string | undefined =>
  path
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => join(directory, process.platform === 'win32' ? `${name}.exe` : name))
    .find(isProgram)

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
