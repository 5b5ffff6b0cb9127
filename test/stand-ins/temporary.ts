import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { errorOf } from './errors.js'

export interface TemporaryDirectory {
  readonly path: string
  /** Writes a file and returns its path. */
  readonly write: (name: string, content: string | Uint8Array) => string
  /** The code and message of what is thrown, without the directory's own path. */
  readonly failureOf: (attempt: () => unknown) => Promise<string>
}

/** A directory for the files of a suite, removed after it. */
export const useTemporaryDirectory = (): TemporaryDirectory => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-')))
  after(() => rmSync(path, { recursive: true, force: true }))
  return {
    path,
    write: (name, content) => {
      const file = join(path, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    failureOf: async (attempt) => {
      const { code, message } = await errorOf(Promise.resolve().then(attempt))
      return `${code} ${message}`.replaceAll(`${path}/`, '')
    },
  }
}
