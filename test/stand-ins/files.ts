import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

export { sha256 } from './digests.js'

/** Content that no archive can make smaller. */
export const content = (size: number): Buffer => randomBytes(size)

/** Directories that are gone after each test. */
export const temporaryDirectories = (): (() => Promise<string>) => {
  const made: string[] = []
  afterEach(async () => {
    for (const path of made.splice(0)) await rm(path, { recursive: true, force: true })
  })
  return async () => {
    const path = await mkdtemp(join(tmpdir(), 'sallyport-store-'))
    made.push(path)
    return path
  }
}

/** Paths of all files below. */
export const filesBelow = async (directory: string): Promise<string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort()
}

/** What is not a finished file: must be empty when something went wrong. */
export const leftovers = async (home: string): Promise<string[]> =>
  (await filesBelow(home)).filter((path) => path.startsWith('incoming') || path.startsWith('blobs'))

export const read = (path: string | undefined): Promise<Buffer> => readFile(path ?? '')
