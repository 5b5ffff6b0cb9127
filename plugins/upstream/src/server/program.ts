import { access, constants, stat } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'

/**
 * The path of a program, as a shell would find it; undefined where there is none that can be run.
 * @param path directories, as in the variable PATH
 */
export const findProgram = async (command: string, cwd: string, path: string): Promise<string | undefined> => {
  const directories = path.split(delimiter).filter(Boolean)
  const candidates = command.includes('/')
    ? [resolve(cwd, command)]
    : directories.map((directory) => resolve(cwd, directory, command))
  for (const candidate of candidates) if (await canRun(candidate)) return candidate
  return undefined
}

const canRun = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
